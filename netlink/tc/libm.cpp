#include "netlink/tc/libm.hpp"

#include <dlfcn.h>
#include <gnu/lib-names.h>

#include <stdexcept>

namespace nlstream::tc {
namespace {

template <class Function>
Function* find(char const* name) {
    static void* const library = ::dlopen(LIBM_SO, RTLD_NOW);
    auto* const found = library ? ::dlsym(library, name) : nullptr;
    if (!found) throw std::runtime_error(::dlerror());
    return reinterpret_cast<Function*>(found);
}

}  // namespace

double log(double value) {
    static auto* const function = find<double(double)>("log");
    return function(value);
}

double pow(double base, double exponent) {
    static auto* const function = find<double(double, double)>("pow");
    return function(base, exponent);
}

}  // namespace nlstream::tc

#include "pipeline/program_object.hpp"

namespace nlstream {

int load_object(ProgramInFile const&, std::function<void(std::string_view)> const&) { throw NotLoaded{NotLoaded::Fault::loader, {}}; }
int open_object(ProgramInFile const&) { throw NotLoaded{NotLoaded::Fault::loader, {}}; }

}  // namespace nlstream

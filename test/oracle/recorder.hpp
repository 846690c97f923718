// Parts of the preloaded library that see each other.
#pragma once

#include <cstddef>

namespace oracle {

// Sends the rows of recorded requests to this descriptor from now on, instead of the file that NLSTREAM_RECORD names.
void record_to(int descriptor);

// The function of this name that the library hides: the next one in the search order. Ends the process if there is none.
void* hidden_symbol(char const* name);

template <typename Function>
Function* hidden(char const* name) {
    return reinterpret_cast<Function*>(hidden_symbol(name));
}

}  // namespace oracle

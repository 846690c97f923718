# Warnings are errors on our own targets; an INTERFACE target carries them.
add_library(nlstream_options INTERFACE)
target_compile_options(nlstream_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers -Werror
  # g++ 12 warns wrongly about std::string's operator+ (GCC bug 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_include_directories(nlstream_options INTERFACE "${PROJECT_SOURCE_DIR}")

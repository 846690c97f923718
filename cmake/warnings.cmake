# Warnings are errors on our own targets; an INTERFACE target carries them.
add_library(nlstream_options INTERFACE)
target_compile_options(nlstream_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers -Werror)
target_include_directories(nlstream_options INTERFACE "${PROJECT_SOURCE_DIR}")

# NLSTREAM_SANITIZE: a list for -fsanitize= ("address,undefined", "thread", "fuzzer,address").
set(NLSTREAM_SANITIZE "" CACHE STRING "Sanitizers to build everything with")
option(NLSTREAM_LTO "Link-time optimisation" OFF)
option(NLSTREAM_FUZZERS "Build the fuzzers (needs clang)" OFF)
if(NLSTREAM_SANITIZE)
  add_compile_options(-fsanitize=${NLSTREAM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${NLSTREAM_SANITIZE})
endif()

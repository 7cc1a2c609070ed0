# How targets are compiled in little time: unity groups and precompiled headers. Neither changes what a file may
# include: `make includes` compiles every file and every header by itself.

# Largest amount of source text, in bytes, that is compiled as one translation unit.
set(ULP_UNITY_BYTES 70000)

# ulp_compile_quickly(target [HEADERS owner])
# Compiles the target with the precompiled headers of `owner` and, where CMAKE_UNITY_BUILD is on, its files as a few
# translation units. Names that only one file of a target sees must therefore differ from each other. Files with
# compile options of their own are always compiled alone.
function(ulp_compile_quickly target)
  cmake_parse_arguments(A "" "HEADERS" "" ${ARGN})
  # clang-tidy cannot read the precompiled headers of g++.
  if(A_HEADERS AND NOT ULP_TIDY)
    target_precompile_headers(${target} REUSE_FROM ${A_HEADERS})
  endif()
  # Sources are complete, and know their options, when all folders were read.
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL _ulp_arrange_sources ${target})")
endfunction()

function(_ulp_arrange_sources target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(directory ${target} SOURCE_DIR)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  set(group 0)
  set(total 0)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${directory})
    get_source_file_property(options ${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    if(options)
      # Precompiled headers hold for the options that they were made with.
      set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
      continue()
    endif()
    set(bytes 0)
    if(EXISTS ${source})
      file(SIZE ${source} bytes)
    endif()
    math(EXPR total "${total} + ${bytes}")
    if(total GREATER ULP_UNITY_BYTES)
      math(EXPR group "${group} + 1")
      set(total ${bytes})
    endif()
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${group}")
  endforeach()
endfunction()

# ulp_add_precompiled_headers(name LIBS … HEADERS …)
# Makes an owner of precompiled headers: what many files include and what seldom changes. Its users have the same
# compile options, and at least the macros of LIBS.
function(ulp_add_precompiled_headers name)
  cmake_parse_arguments(A "" "" "LIBS;HEADERS" ${ARGN})
  if(ULP_TIDY)
    return()
  endif()
  file(WRITE ${PROJECT_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${name} PRIVATE ${A_LIBS})
  target_precompile_headers(${name} PRIVATE ${A_HEADERS})
endfunction()

set(ULP_STD_HEADERS <algorithm> <array> <charconv> <chrono> <cmath> <cstddef> <cstdint> <filesystem> <fstream>
  <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <stop_token> <string>
  <string_view> <thread> <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector> <fmt/format.h>
  <tl/expected.hpp>)
ulp_add_precompiled_headers(ulp_std_headers LIBS ulp_options HEADERS ${ULP_STD_HEADERS})
if(ULP_GUI)
  ulp_add_precompiled_headers(ulp_qt_headers LIBS ulp_options Qt6::Widgets
    HEADERS ${ULP_STD_HEADERS} <QtWidgets/QtWidgets>)
endif()

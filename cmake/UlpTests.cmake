# What tests are made of: executables of GoogleTest, programs that help them, and scripts of the oracles.
include(GoogleTest)

# Tests run less code than they compile: without optimising a quarter of their compilers' time is saved.
add_library(ulp_test_options INTERFACE)
target_compile_options(ulp_test_options INTERFACE -O0 -fPIC)
target_link_libraries(ulp_test_options INTERFACE ulp_options)
target_include_directories(ulp_test_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(ulp_test_options INTERFACE
  ULP_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ULP_BINARY_DIR="${PROJECT_BINARY_DIR}"
  ULP_CLI="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/ulpscope-cli" ULP_PYTHON="${Python3_EXECUTABLE}"
  ULP_ORACLE_PYTHON="${PROJECT_SOURCE_DIR}/build/deps/python/bin/python")

# Where ULP_TEST_COMPILER names a clang, it compiles the tests in place of g++, in half the time: ccache starts the one for
# the other. Programs stay g++'s, and so does linking.
set(clang_for_tests "")
if(ULP_TEST_COMPILER AND CCACHE_PROGRAM)
  find_program(ULP_TEST_COMPILER_PROGRAM ${ULP_TEST_COMPILER})
endif()
if(ULP_TEST_COMPILER_PROGRAM)
  set(clang_for_tests ${CMAKE_CXX_COMPILER_LAUNCHER})
  list(INSERT clang_for_tests 3 CCACHE_COMPILER=${ULP_TEST_COMPILER_PROGRAM})
  # As CMake itself has it for clang.
  set(CMAKE_CXX_COMPILE_OPTIONS_CREATE_PCH -Xclang -emit-pch -Xclang -include -Xclang <PCH_HEADER> -x c++-header)
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH
    -Xclang -include-pch -Xclang <PCH_FILE> -Xclang -include -Xclang <PCH_HEADER>)
endif()
function(_ulp_compile_test target)
  if(clang_for_tests)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${clang_for_tests}")
    # Some options are g++'s alone; a time in precompiled headers would keep ccache from finding what used them.
    target_compile_options(${target} PRIVATE -Qunused-arguments -Wno-unknown-warning-option -fpch-instantiate-templates
      "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

ulp_add_precompiled_headers(ulp_test_headers LIBS ulp_test_options GTest::gmock
  HEADERS ${ULP_STD_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
_ulp_compile_test(ulp_test_headers)
if(ULP_GUI)
  ulp_add_precompiled_headers(ulp_qt_test_headers LIBS ulp_test_options GTest::gmock Qt6::Network Qt6::Test Qt6::Widgets
    HEADERS ${ULP_STD_HEADERS} <gmock/gmock.h> <gtest/gtest.h> <QtTest/QtTest> <QtWidgets/QtWidgets>)
  _ulp_compile_test(ulp_qt_test_headers)
endif()

# _ulp_add_shards(name [NUMBER shards] FILTER pattern SECONDS limit property value …)
# Tests name.0, name.1 … of ctest, each of a share of GoogleTest's tests in one process, whose start is dearer than most
# tests; eight where NUMBER is not given. SECONDS: for one of GoogleTest's tests.
function(_ulp_add_shards name)
  cmake_parse_arguments(A "" "NUMBER;FILTER;SECONDS" "" ${ARGN})
  set(number 8)
  if(A_NUMBER)
    set(number ${A_NUMBER})
  endif()
  math(EXPR last "${number} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}.${shard} COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/support/run_shard.py
      ${shard}/${number} --filter=${A_FILTER} --limit=${A_SECONDS} $<TARGET_FILE:${name}>)
    set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 1800 ${A_UNPARSED_ARGUMENTS})
  endforeach()
endfunction()

# _ulp_link_tests(name libraries)
# The test binary `name` of the objects that the build ULP_TEST_OBJECTS has made for it, and its libraries as this build
# compiles them: what sanitizers are to watch is compiled anew, the tests are not. Those that measure how time and memory
# grow are left out: sanitizers change both. It starts the other build's programs, but for the one that reads HDF5 files.
function(_ulp_link_tests name libraries)
  set(list ${ULP_TEST_OBJECTS}/tests/${name}.objects)
  if(NOT EXISTS ${list})
    message(FATAL_ERROR "${list} is missing; build the tests there first (make build)")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} objects)
  add_executable(${name} ${objects})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock ${libraries} ulp_options)
  add_dependencies(${name} ulpscope_hdf5)
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  _ulp_add_shards(${name} FILTER -*FuzzGrowth* SECONDS 300
    LABELS unit ENVIRONMENT ULP_TEMPLATE_PROGRAM=${ULP_TEST_OBJECTS}/bin/ulpscope-template)
endfunction()

# ulp_add_test(name [GUI] FOLDERS … SOURCES … LIBS … LABEL label [GPU pattern] [STUDIES pattern] [TIMEOUT seconds]
#   [SHARDS number])
# A GoogleTest binary of every *_test.cpp below FOLDERS, which are named from tests/ on, and of SOURCES. GUI tests run on
# the offscreen platform, and fail where an event keeps the GUI thread above 50 ms (tests/support/window/stall_listener.h).
# HDF5 files are opened by a program of their own, which stands there before any test runs, and so do the fixtures
# (tests/fixtures). Tests that GPU names have the label gpu; those that STUDIES names run studies, and are left out
# of a build without the engine. A parameter is called by the name that its suite gives it.
function(ulp_add_test name)
  cmake_parse_arguments(A "GUI" "TIMEOUT;LABEL;GPU;STUDIES;SHARDS" "FOLDERS;SOURCES;LIBS" ${ARGN})
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 120)
  endif()
  set(tests "")
  foreach(folder ${A_FOLDERS})
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*_test.cpp)
    list(APPEND tests ${found})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY ULP_TESTS_IN_PROGRAMS ${tests} ${A_SOURCES})
  if(ULP_TEST_FILES)
    list(FILTER tests INCLUDE REGEX "${ULP_TEST_FILES}")
  endif()
  if(ULP_TEST_OBJECTS)
    _ulp_link_tests(${name} "${A_LIBS}")
    return()
  endif()
  add_executable(${name} ${tests} ${A_SOURCES})
  _ulp_compile_test(${name})
  set(properties "")
  if(A_GUI)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/window/qt_main.cpp)
    target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock Qt6::Network Qt6::Test Qt6::Widgets ulp::views_framework)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    list(APPEND properties ENVIRONMENT QT_QPA_PLATFORM=offscreen)
    ulp_compile_quickly(${name} HEADERS ulp_qt_test_headers)
  else()
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/machine/test_main.cpp)
    target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock)
    ulp_compile_quickly(${name} HEADERS ulp_test_headers)
  endif()
  target_link_libraries(${name} PRIVATE ${A_LIBS} ulp_test_options)
  # What _ulp_link_tests reads in another build.
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.objects
    CONTENT "$<JOIN:$<TARGET_OBJECTS:${name}>,\n>\n" TARGET ${name})
  add_dependencies(${name} ulpscope_hdf5 ulpscope_template fixtures)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(A_GPU)
    gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES TEST_FILTER "${A_GPU}"
      PROPERTIES ${properties} TIMEOUT ${A_TIMEOUT} LABELS gpu)
    set(others -${A_GPU})
  elseif(A_STUDIES AND NOT ULP_ENGINE)
    set(others -${A_STUDIES})
  else()
    set(others *)
  endif()
  _ulp_add_shards(${name} NUMBER "${A_SHARDS}" FILTER ${others} SECONDS ${A_TIMEOUT} LABELS ${A_LABEL} ${properties})
endfunction()

# ulp_test_under_comma_locale(test FILTER pattern)
# Runs tests of an executable a second time for a user whose numbers have commas and whose i is no I: what programs write
# and read is the same everywhere. GoogleTest's own syntax of patterns.
function(ulp_test_under_comma_locale test)
  cmake_parse_arguments(A "" "FILTER" "" ${ARGN})
  add_dependencies(${test} comma_locale)
  add_test(NAME ${test}.comma_locale COMMAND ${test} --gtest_brief=1 --gtest_filter=CommaLocale.*:${A_FILTER})
  set_tests_properties(${test}.comma_locale PROPERTIES LABELS locale TIMEOUT 120 ENVIRONMENT
    "LOCPATH=${ULP_LOCALES};LC_ALL=${ULP_COMMA_LOCALE};QT_QPA_PLATFORM=offscreen")
endfunction()

# ulp_test_under_jumping_clock(test FILTER pattern)
# Runs tests of an executable a second time while the time of day jumps by days and years, back and forth
# (tests/faults/clock_jumps.cpp): nothing waits longer, ends earlier or gets a negative duration. GoogleTest's own syntax of
# patterns. Not with sanitizers, whose libraries must be loaded before all others.
function(ulp_test_under_jumping_clock test)
  cmake_parse_arguments(A "" "FILTER" "" ${ARGN})
  if(ULP_SANITIZE)
    return()
  endif()
  add_dependencies(${test} clock_jumps)
  add_test(NAME ${test}.jumping_clock COMMAND ${test} --gtest_brief=1 --gtest_filter=JumpingClock.*:${A_FILTER})
  set_tests_properties(${test}.jumping_clock PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT
    "LD_PRELOAD=$<TARGET_FILE:clock_jumps>;QT_QPA_PLATFORM=offscreen")
endfunction()

# ulp_add_test_program(name SOURCES … LIBS …): a program that tests and oracles start.
function(ulp_add_test_program name)
  cmake_parse_arguments(A "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${A_SOURCES})
  _ulp_compile_test(${name})
  target_link_libraries(${name} PRIVATE ${A_LIBS} ulp_test_options)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endfunction()

# ulp_add_oracle(name TIMEOUT seconds COMMAND script argument …)
# A Python script that compares with other programs, in the environment that `make setup-test` makes.
function(ulp_add_oracle name)
  cmake_parse_arguments(A "" "TIMEOUT" "COMMAND" ${ARGN})
  add_test(NAME ${name}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/support/run_oracle.py ${A_COMMAND}
    COMMAND_EXPAND_LISTS)
  set_tests_properties(${name} PROPERTIES LABELS oracle TIMEOUT ${A_TIMEOUT}
    ENVIRONMENT "ULP_DEFAULT_ORACLE_PYTHON=${PROJECT_SOURCE_DIR}/build/deps/python/bin/python")
endfunction()

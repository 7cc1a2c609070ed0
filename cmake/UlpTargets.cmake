# Target helpers: every library, plug-in folder and test of the project is made by one of these.

add_library(ulp_options INTERFACE)
target_compile_features(ulp_options INTERFACE cxx_std_20)
target_compile_options(ulp_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wimplicit-fallthrough -Wextra-semi -Wundef
  # A designated initializer names what differs from the defaults that the members declare.
  -Wno-missing-field-initializers>)
target_compile_definitions(ulp_options INTERFACE
  QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_FOREACH QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
  # Whether a file links fmt or not: it is among the precompiled headers of all.
  $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
# g++ tidies its memory less often: 10 % less time for a file, at up to 150 MB more.
target_compile_options(ulp_options INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:SHELL:--param ggc-min-expand=300 --param ggc-min-heapsize=500000>")
if(ULP_WERROR)
  target_compile_options(ulp_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
endif()
if(ULP_SANITIZE)
  target_compile_options(ulp_options INTERFACE
    -fsanitize=${ULP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(ulp_options INTERFACE -fsanitize=${ULP_SANITIZE})
  # g++ 12 finds uninitialised variables in std::regex when it instruments it.
  target_compile_options(ulp_options INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
endif()
if(ULP_FUZZ)
  target_compile_options(ulp_options INTERFACE -fsanitize=fuzzer-no-link)
  target_compile_definitions(ulp_options INTERFACE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
endif()
if(CMAKE_UNITY_BUILD)
  # g++ takes the files of a unity group for headers, and warns of what only concerns these. What it guesses to be
  # uninitialised hangs on what it inlines; builds file by file ask.
  target_compile_options(ulp_options INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage -Wno-maybe-uninitialized>)
endif()
include(UlpCompilation)

# _ulp_rooms(variable pattern except…)
# The files of the calling folder and of its rooms, at any depth. Not of its plug-ins, of programs and libraries that
# it makes beside itself (folders called program and library), of folders with a CMakeLists of their own, and of those
# named in `except`.
function(_ulp_rooms variable pattern)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
  file(GLOB_RECURSE others ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
  list(REMOVE_ITEM others ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
  list(TRANSFORM others REPLACE "/CMakeLists\\.txt$" "")
  foreach(folder ${ARGN})
    list(APPEND others ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  endforeach()
  set(own "")
  foreach(file ${files})
    file(RELATIVE_PATH relative ${CMAKE_CURRENT_SOURCE_DIR} ${file})
    set(is_own TRUE)
    if("/${relative}" MATCHES "/(plugins|program|library)/")
      set(is_own FALSE)
    endif()
    foreach(folder ${others})
      cmake_path(IS_PREFIX folder ${file} is_below)
      if(is_below)
        set(is_own FALSE)
      endif()
    endforeach()
    if(is_own)
      list(APPEND own ${file})
    endif()
  endforeach()
  set(${variable} ${own} PARENT_SCOPE)
endfunction()

# ulp_add_library(ulp_name HEADERS owner [QT] [FLAT] [EXCEPT folder…] [INTERNAL folder…] PUBLIC … PRIVATE …)
# Makes the static library ulp_name, alias ulp::name, of all *.cpp and *.h of the calling folder and its rooms, so
# that a new file or room needs no edit here; FLAT: of the folder alone. Headers must compile alone (preset `headers`
# proves it); those of INTERNAL rooms are nobody else's, and name libraries that others do not link. Third-party
# libraries go under PRIVATE unless a public header names them. `owner`: ulp_compile_quickly().
function(ulp_add_library name)
  cmake_parse_arguments(A "QT;FLAT" "HEADERS" "EXCEPT;INTERNAL;PUBLIC;PRIVATE" ${ARGN})
  if(A_FLAT)
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  else()
    _ulp_rooms(sources *.cpp ${A_EXCEPT})
    _ulp_rooms(headers *.h ${A_EXCEPT} ${A_INTERNAL})
  endif()
  add_library(${name} STATIC ${sources})
  string(REPLACE "ulp_" "ulp::" alias ${name})
  add_library(${alias} ALIAS ${name})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  target_link_libraries(${name} PUBLIC ${A_PUBLIC} PRIVATE ulp_options ${A_PRIVATE})
  if(A_QT)
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
  endif()
  ulp_compile_quickly(${name} HEADERS ${A_HEADERS})
endfunction()

# ulp_add_plugins(target DIR dir [ENDING ending] HEADER header NAMESPACE ns REGISTRY Type)
# One file per plug-in: every DIR/*.cpp must define  void register<Stem>(REGISTRY&)  in NAMESPACE
# (max_diff.cpp -> registerMaxDiff). Generates  void registerBuiltin(REGISTRY&)  that calls them all, in
# sorted order, so that a new plug-in is one new file and a missing function is a link error.
# With ENDING, plug-ins are the files DIR/<stem><ENDING>.cpp (_command: run_command.cpp -> registerRun).
function(ulp_add_plugins target)
  cmake_parse_arguments(A "" "DIR;ENDING;HEADER;NAMESPACE;REGISTRY" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${A_DIR}/*${A_ENDING}.cpp)
  _ulp_generate_registration(${target} "${files}")
endfunction()

# As ulp_add_plugins, but a plug-in is a folder: every DIR/<stem>/*.cpp is compiled and
# DIR/<stem>/<stem>_view.cpp defines register<Stem>(REGISTRY&).
function(ulp_add_folder_plugins target)
  cmake_parse_arguments(A "" "DIR;HEADER;NAMESPACE;REGISTRY" "" ${ARGN})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${A_DIR}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${A_DIR}/*.h)
  file(GLOB entries CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${A_DIR}/*)
  set(stems "")
  foreach(entry ${entries})
    if(IS_DIRECTORY ${entry})
      list(APPEND stems ${entry})
    endif()
  endforeach()
  target_sources(${target} PRIVATE ${files} ${headers})
  _ulp_generate_registration(${target} "${stems}" FOLDERS)
endfunction()

# ulp_embed_python(out HEADER header NAMESPACE ns TYPE Type FUNCTION name FILES file…)
# Writes the source file `out`, which defines  std::span<const Type> name()  of {name, text} for every file; with STEMS
# names are without ".py". The build is configured anew where a file changes.
function(ulp_embed_python out)
  cmake_parse_arguments(A "STEMS" "HEADER;NAMESPACE;TYPE;FUNCTION" "FILES" ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${A_FILES})
  set(rows "")
  foreach(file ${A_FILES})
    get_filename_component(name ${file} NAME)
    if(A_STEMS)
      get_filename_component(name ${file} NAME_WE)
    endif()
    file(READ ${file} text)
    string(APPEND rows "      {\"${name}\", R\"python(${text})python\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out} CONTENT
"// Generated from resources/python; do not edit.
#include \"${A_HEADER}\"

namespace ${A_NAMESPACE} {

std::span<const ${A_TYPE}> ${A_FUNCTION}() {
  static constexpr ${A_TYPE} kFiles[]{
@rows@  };
  return kFiles;
}

}  // namespace ${A_NAMESPACE}
" @ONLY)
endfunction()

# ulp_pascal_case(variable stem): max_diff -> MaxDiff.
function(ulp_pascal_case variable stem)
  string(REPLACE "_" ";" words ${stem})
  set(name "")
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 head)
    string(SUBSTRING ${word} 1 -1 tail)
    string(TOUPPER ${head} head)
    string(APPEND name ${head}${tail})
  endforeach()
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

function(_ulp_generate_registration target files)
  list(SORT files)
  set(declarations "")
  set(calls "")
  foreach(file ${files})
    get_filename_component(stem ${file} NAME_WE)
    if(A_ENDING)
      string(REGEX REPLACE "${A_ENDING}$" "" stem ${stem})
    endif()
    ulp_pascal_case(name ${stem})
    string(APPEND declarations "void register${name}(${A_REGISTRY}& registry);\n")
    string(APPEND calls "  register${name}(registry);\n")
  endforeach()
  string(REPLACE "/" "_" flat ${A_DIR})
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${flat}_registration.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// Generated by ulp_add_plugins(); do not edit.
#include \"${A_HEADER}\"
namespace ${A_NAMESPACE} {
${declarations}
void registerBuiltin([[maybe_unused]] ${A_REGISTRY}& registry) {
${calls}}
}  // namespace ${A_NAMESPACE}
" @ONLY)
  if("FOLDERS" IN_LIST ARGN)
    target_sources(${target} PRIVATE ${out})
  else()
    target_sources(${target} PRIVATE ${files} ${out})
  endif()
endfunction()

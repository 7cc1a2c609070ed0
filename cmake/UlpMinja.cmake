# Imported target ulp::minja: the header that reads chat templates, which tools/install_minja.py fetches, with the mends of
# minja.patch.
set(ULP_MINJA_DIR "${PROJECT_SOURCE_DIR}/build/deps/minja" CACHE PATH
  "Folder of minja (include/minja/minja.hpp) and of the published chat templates that tests render")
if(NOT EXISTS ${ULP_MINJA_DIR}/include/minja/minja.hpp)
  message(FATAL_ERROR
    "minja not found (ULP_MINJA_DIR='${ULP_MINJA_DIR}'). Run `make setup`, which fetches it out of the "
    "source archive of llama-cpp-python on PyPI.")
endif()

set(mended ${PROJECT_BINARY_DIR}/minja/include/minja/minja.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/minja.patch)
find_program(PATCH_PROGRAM patch REQUIRED)
execute_process(COMMAND ${PATCH_PROGRAM} --silent --force --fuzz=0 --output=${PROJECT_BINARY_DIR}/minja.hpp
  ${ULP_MINJA_DIR}/include/minja/minja.hpp ${CMAKE_CURRENT_LIST_DIR}/minja.patch RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${ULP_MINJA_DIR}/include/minja/minja.hpp is not what cmake/minja.patch was made for; remove "
    "${ULP_MINJA_DIR} and run `make setup`")
endif()
configure_file(${PROJECT_BINARY_DIR}/minja.hpp ${mended} COPYONLY)

add_library(ulp_minja INTERFACE)
add_library(ulp::minja ALIAS ulp_minja)
target_include_directories(ulp_minja SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/minja/include)
target_link_libraries(ulp_minja INTERFACE nlohmann_json::nlohmann_json)

#include "core/compat/msit/operation_mapping.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/files/atomic_file.h"

namespace ulp::compat::msit {
namespace {

using dumps::msit::OperationMapping;

constexpr std::size_t kLargestFile = std::size_t{16} << 20;

bool isTypeName(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Result<std::vector<std::string>> torchTypes(const nlohmann::ordered_json& value) {
  std::vector<std::string> types;
  for (const nlohmann::ordered_json& item :
       value.is_array() ? value : nlohmann::ordered_json::array({value})) {
    if (!item.is_string() || !isTypeName(item.get<std::string>())) {
      return fail(ErrorCode::CorruptData, "not the name of a type, or a list of names");
    }
    types.push_back(item.get<std::string>());
  }
  return types;
}

Result<> addAll(OperationMapping& mapping, const nlohmann::ordered_json& entries) {
  for (const auto& [name, value] : entries.items()) {
    Result<std::vector<std::string>> types = torchTypes(value);
    if (!types || !isTypeName(name)) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format(
              "'{}': {}", name, types ? "not the name of a type" : types.error().message()));
    }
    const auto known =
        std::find_if(mapping.begin(), mapping.end(), [&, wanted = name](const auto& entry) {
          return entry.first == wanted;
        });
    if (known != mapping.end()) {
      known->second = std::move(*types);
    } else {
      mapping.emplace_back(name, std::move(*types));
    }
  }
  return {};
}

}  // namespace

Result<OperationMapping> operationMapping(const std::filesystem::path& path) {
  OperationMapping mapping = dumps::msit::builtinMapping();
  if (path.empty()) {
    return mapping;
  }
  std::error_code status;
  const std::filesystem::path file =
      std::filesystem::is_directory(path, status) ? path / "op_mapping_file.json" : path;
  const std::string text = ULP_TRY(readTextFile(file, kLargestFile));
  const auto entries = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!entries.is_object()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: not an object of JSON that maps types of ATB to those of torch",
                            file.string()));
  }
  if (Result<> added = addAll(mapping, entries); !added) {
    return failWhile(file.string(), std::move(added));
  }
  return mapping;
}

}  // namespace ulp::compat::msit

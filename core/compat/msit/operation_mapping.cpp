#include "core/compat/msit/operation_mapping.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/json/parse.h"

namespace ulp::compat::msit {
namespace {

using dumps::msit::OperationMapping;

constexpr std::size_t kLargestFile = std::size_t{16} << 20;

bool isTypeName(const std::string& text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Result<std::vector<std::string>> torchTypes(const json::Value& value) {
  std::vector<std::string> types;
  for (const json::Value& item : value.isArray() ? value.items() : json::Array{value}) {
    if (!item.isText() || !isTypeName(item.text())) {
      return fail(ErrorCode::CorruptData, "not the name of a type, or a list of names");
    }
    types.push_back(item.text());
  }
  return types;
}

Result<> addAll(OperationMapping& mapping, const json::Value& entries) {
  for (const auto& [name, value] : entries.members()) {
    Result<std::vector<std::string>> types = torchTypes(value);
    if (!types || !isTypeName(name)) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format(
              "'{}': {}", name, types ? "not the name of a type" : types.error().message()));
    }
    const auto known = std::ranges::find_if(
        mapping, [&, wanted = name](const auto& entry) { return entry.first == wanted; });
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
  const auto entries = json::parse(text);
  if (!entries || !entries->isObject()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: not an object of JSON that maps types of ATB to those of torch",
                            file.string()));
  }
  if (Result<> added = addAll(mapping, *entries); !added) {
    return failWhile(file.string(), std::move(added));
  }
  return mapping;
}

}  // namespace ulp::compat::msit

#include "core/compat/msit/inputs.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/text/numbers_by_name.h"
#include "core/dumps/model/folders.h"
#include "core/json/parse.h"

namespace ulp::compat::msit {
namespace {

namespace fs = std::filesystem;

using dumps::msit::NodeId;
using dumps::msit::OperationMapping;
using dumps::msit::Place;
using dumps::msit::ProcessFolder;
using dumps::msit::TokenFolder;

void addStarting(std::vector<fs::path>& files, const fs::path& folder, std::string_view prefix) {
  for (const std::string& name : dumps::folderNames(folder)) {
    if (name.starts_with(prefix)) {
      files.push_back(folder / name);
    }
  }
}

std::vector<fs::path> torchFiles(const fs::path& folder, const Place& place) {
  std::vector<fs::path> files;
  if (place.files != Place::Files::One) {
    addStarting(files, folder, place.files == Place::Files::Outputs ? "output" : "input");
  } else if (dumps::isFile(folder / place.name)) {
    files.push_back(folder / place.name);
  }
  return files;
}

std::vector<fs::path> atbFiles(const fs::path& folder, const Place& place) {
  std::vector<fs::path> files;
  if (place.files == Place::Files::Outputs) {
    addStarting(files, folder / "after", "outtensor");
  } else if (place.files == Place::Files::Inputs) {
    addStarting(files, folder / "after", "intensor");
    addStarting(files, folder / "before", "intensor");
  } else if (dumps::isFile(folder / "after" / place.name)) {
    files.push_back(folder / "after" / place.name);
  }
  return files;
}

constexpr std::size_t kLargestMappingFile = std::size_t{16} << 20;

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
  NumbersByName places;
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    places.insert(mapping[i].first, i);
  }
  for (const auto& [name, value] : entries.members()) {
    Result<std::vector<std::string>> types = torchTypes(value);
    if (!types || !isTypeName(name)) {
      return fail(
          ErrorCode::CorruptData,
          fmt::format(
              "'{}': {}", name, types ? "not the name of a type" : types.error().message()));
    }
    const auto [place, isNew] = places.insert(name, mapping.size());
    if (isNew) {
      mapping.emplace_back(name, std::move(*types));
    } else {
      mapping[place].second = std::move(*types);
    }
  }
  return {};
}

}  // namespace

Result<Side> openSide(const fs::path& path) {
  std::error_code status;
  if (!fs::exists(path, status)) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file or folder", path.string()));
  }
  const std::vector<ProcessFolder> atb = dumps::msit::findAtbProcesses(path);
  if (!atb.empty()) {
    auto process = ULP_TRY(dumps::msit::openAtbProcess(atb.front()));
    return Side{.process = std::move(process), .isAtb = true};
  }
  const std::vector<ProcessFolder> torch = dumps::msit::findTorchProcesses(path);
  if (!torch.empty()) {
    auto process = ULP_TRY(dumps::msit::openTorchProcess(torch.front()));
    return Side{.process = std::move(process), .isAtb = false};
  }
  return fail(ErrorCode::InvalidArgument,
              fmt::format("{}: neither a dump of ATB nor one of PyTorch; give the folder "
                          "msit_dump_*, its {{device}}_{{PID}} folder, or one token below",
                          path.string()));
}

const dumps::msit::TopologyNode& nodeOf(const Side& side, const NodeId& id) {
  return side.process.models[id.model].nodes[id.node];
}

std::vector<fs::path> filesOf(const Side& side,
                              const TokenFolder& token,
                              const NodeId& node,
                              const Place& place) {
  if (token.model != dumps::kNone && token.model != node.model) {
    return {};
  }
  const fs::path folder = token.path / nodeOf(side, node).folder;
  return side.isAtb ? atbFiles(folder, place) : torchFiles(folder, place);
}

std::vector<fs::path> ofAllDevices(const Side& side, const fs::path& file) {
  const fs::path processes = side.process.path.parent_path();
  const fs::path relative = file.lexically_relative(side.process.path);
  std::vector<fs::path> files;
  for (const std::string& name : dumps::folderNames(processes)) {
    if (dumps::isFile(processes / name / relative)) {
      files.push_back(processes / name / relative);
    }
  }
  return files;
}

std::string realPath(const fs::path& file) {
  std::error_code problem;
  const fs::path real = fs::canonical(file, problem);
  return (problem ? file : real).string();
}

std::string tokenText(const TokenFolder& token) {
  return token.token == dumps::msit::kWarmUp ? "warmup" : std::to_string(token.token);
}

Result<OperationMapping> operationMapping(const std::filesystem::path& path) {
  OperationMapping mapping = dumps::msit::builtinMapping();
  if (path.empty()) {
    return mapping;
  }
  std::error_code status;
  const std::filesystem::path file =
      std::filesystem::is_directory(path, status) ? path / "op_mapping_file.json" : path;
  const std::string text = ULP_TRY(readTextFile(file, kLargestMappingFile));
  const auto entries = ULP_TRY(whileDoing(
      file.string(),
      json::parseObject(text, "not an object of JSON that maps types of ATB to those of torch")));
  ULP_TRY(whileDoing(file.string(), addAll(mapping, entries)));
  return mapping;
}

}  // namespace ulp::compat::msit

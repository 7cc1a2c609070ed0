#include "core/compat/msit/side.h"

#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "core/dumps/model/folders.h"

namespace ulp::compat::msit {
namespace {

namespace fs = std::filesystem;

using dumps::msit::NodeId;
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

}  // namespace ulp::compat::msit

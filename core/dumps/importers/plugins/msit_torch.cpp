#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msit/layout.h"
#include "core/dumps/msit/recorded_unit.h"

namespace ulp::dumps {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view kWeights = "weights";

/// The parameters beside the tokens.
UnitInfo weightsUnit(const msit::Process& process, fs::path folder) {
  return {.axes = {.run = std::string(kWeights), .rank = process.rank},
          .path = std::move(folder),
          .open = [](const UnitInfo& unit, const std::stop_token& stop, const Progress& progress) {
            return msit::readWeights(unit.path, unit.axes, stop, progress);
          }};
}

/// The first bytes of a model_tree.json name its keys.
bool isModelTree(const fs::path& file) {
  if (!isFile(file)) {
    return false;  // opening a named pipe would wait
  }
  std::array<char, 4096> start{};
  std::ifstream in(file, std::ios::binary);
  in.read(start.data(), start.size());
  const std::string_view text(start.data(), static_cast<std::size_t>(in.gcount()));
  return text.find("\"name\"") != std::string_view::npos &&
         text.find("\"children\"") != std::string_view::npos;
}

/// "cuda0_1234", with the PID at the end.
bool isCalledProcess(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const std::size_t mark = name.rfind('_');
  return mark != std::string::npos && mark + 1 < name.size() &&
         name.find_first_not_of("0123456789", mark + 1) == std::string::npos;
}

Claim recogniseMsitTorch(const fs::path& path) {
  if (!isFolder(path)) {
    return Claim::No;
  }
  constexpr std::string_view kFile = "model_tree.json";
  const std::vector<msit::ProcessFolder> found = msit::findTorchProcesses(path);
  if (std::ranges::any_of(found, [&](const msit::ProcessFolder& process) {
        return isModelTree(process.path / kFile);
      })) {
    return Claim::Certain;
  }
  const bool isDamaged = std::ranges::any_of(found, [&](const msit::ProcessFolder& process) {
    return isCalledProcess(process.path) && !msit::readModelTree(process.path / kFile);
  });
  return isDamaged ? Claim::Damaged : Claim::No;
}

Result<Dump> openMsitTorch(const fs::path& path, const std::stop_token& /*stop*/) {
  Dump dump{.format = "msit llm, PyTorch"};
  const auto processes = ULP_TRY(msit::openProcesses(
      path, msit::findTorchProcesses(path), msit::openTorchProcess, dump.notes));
  for (const msit::ProcessPtr& process : processes) {
    for (const msit::TokenFolder& token : process->tokens) {
      dump.units.push_back(msit::tokenUnit(process, token, msit::readTorchToken));
    }
    fs::path weights = process->path / kWeights;
    if (!process->isOneToken && isFolder(weights)) {
      dump.units.push_back(weightsUnit(*process, std::move(weights)));
    }
  }
  return dump;
}

}  // namespace

void registerMsitTorch(ImporterRegistry& registry) {
  registry.add({"msit_torch",
                "msit llm dump of a PyTorch model",
                recogniseMsitTorch,
                openMsitTorch,
                {"msit", 20}});
}

}  // namespace ulp::dumps

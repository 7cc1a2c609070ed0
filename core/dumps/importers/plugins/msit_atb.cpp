#include <string>
#include <vector>

#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msit/layout.h"
#include "core/dumps/msit/recorded_unit.h"

namespace ulp::dumps {

namespace {

namespace fs = std::filesystem;
Claim recogniseMsitAtb(const fs::path& path) {
  return isFolder(path) && !msit::findAtbProcesses(path).empty() ? Claim::Certain : Claim::No;
}

Result<Dump> openMsitAtb(const fs::path& path, const std::stop_token& /*stop*/) {
  Dump dump{.format = "msit llm, ATB"};
  std::vector<Sentence> notes;
  const auto processes =
      ULP_TRY(msit::openProcesses(path, msit::findAtbProcesses(path), msit::openAtbProcess, notes));
  for (const msit::ProcessPtr& process : processes) {
    for (const msit::TokenFolder& token : process->tokens) {
      if (token.token == msit::kWarmUp) {
        dump.notes.emplace_back(token.path.string() + ": the warm-up, which is not shown");
      } else {
        dump.units.push_back(msit::tokenUnit(process, token, msit::readAtbToken));
      }
    }
  }
  dump.notes.insert(dump.notes.end(), notes.begin(), notes.end());
  return dump;
}

}  // namespace

void registerMsitAtb(ImporterRegistry& registry) {
  registry.add(
      {"msit_atb", "msit llm dump of an ATB model", recogniseMsitAtb, openMsitAtb, {"msit", 20}});
}

}  // namespace ulp::dumps

#include <memory>
#include <string>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/model/folders.h"
#include "core/dumps/msit/atb_unit.h"
#include "core/dumps/msit/layout.h"
#include "core/dumps/msit/process_dump.h"

namespace ulp::dumps {

namespace {

namespace fs = std::filesystem;
using msit::Process;
using msit::TokenFolder;

class AtbDump final : public msit::ProcessDump {
 public:
  AtbDump(const fs::path& opened, std::vector<Process> found) : ProcessDump(std::move(found)) {
    importer = "msit_atb";
    format = "msit llm, ATB";
    path = opened;
    for (std::size_t i = 0; i < processes().size(); ++i) {
      for (const TokenFolder& token : processes()[i].tokens) {
        if (token.token == msit::kWarmUp) {
          notes.push_back(token.path.string() + ": the warm-up, which is not shown");
        } else {
          addToken(i, token);
        }
      }
    }
  }

  [[nodiscard]] Result<DumpUnitPtr> openUnit(std::size_t unit,
                                             const std::stop_token& stop,
                                             const Progress& progress) const override {
    const Place& place = placeOf(unit);
    return msit::readAtbToken(*place.process, *place.token, units[unit].axes, stop, progress);
  }
};

Claim recogniseMsitAtb(const fs::path& path) {
  return isFolder(path) && !msit::findAtbProcesses(path).empty() ? Claim::Certain : Claim::No;
}

Result<DumpPtr> openMsitAtb(const fs::path& path, const std::stop_token& /*stop*/) {
  std::vector<std::string> notes;
  auto processes =
      ULP_TRY(msit::openProcesses(path, msit::findAtbProcesses(path), msit::openAtbProcess, notes));
  auto dump = std::make_shared<AtbDump>(path, std::move(processes));
  dump->notes.insert(dump->notes.end(), notes.begin(), notes.end());
  return dump;
}

}  // namespace

void registerMsitAtb(ImporterRegistry& registry) {
  registry.add(
      {"msit_atb", "msit llm dump of an ATB model", recogniseMsitAtb, openMsitAtb, {"msit", 20}});
}

}  // namespace ulp::dumps

#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/msit/atb_unit.h"
#include "core/dumps/msit/layout.h"

namespace ulp::dumps {

void registerMsitAtb(ImporterRegistry& registry);

namespace {

namespace fs = std::filesystem;
using msit::Process;
using msit::TokenFolder;

class AtbDump final : public Dump {
 public:
  AtbDump(const fs::path& opened, std::vector<Process> processes)
      : m_processes(std::move(processes)) {
    importer = "msit_atb";
    format = "msit llm, ATB";
    path = opened;
    const std::vector<std::optional<std::int64_t>> ranks = msit::ranksOf(m_processes);
    for (std::size_t i = 0; i < m_processes.size(); ++i) {
      for (const TokenFolder& token : m_processes[i].tokens) {
        if (token.token == msit::kWarmUp) {
          notes.push_back(token.path.string() + ": the warm-up, which is not shown");
          continue;
        }
        units.push_back(
            {.axes = {.step = {}, .rank = ranks[i], .token = token.token}, .path = token.path});
        m_places.emplace_back(i, &token);
      }
    }
  }

  [[nodiscard]] Result<DumpUnitPtr> openUnit(std::size_t unit,
                                             const std::stop_token& stop,
                                             const Progress& progress) const override {
    const auto& [process, token] = m_places[unit];
    return msit::readAtbToken(m_processes[process], *token, units[unit].axes, stop, progress);
  }

 private:
  std::vector<Process> m_processes;
  std::vector<std::pair<std::size_t, const TokenFolder*>> m_places;  ///< parallel to units
};

Claim recognise(const fs::path& path) {
  std::error_code status;
  return fs::is_directory(path, status) && !msit::findAtbProcesses(path).empty() ? Claim::Certain
                                                                                 : Claim::No;
}

Result<DumpPtr> open(const fs::path& path, const std::stop_token& /*stop*/) {
  std::vector<std::string> notes;
  auto processes = msit::openProcesses(msit::findAtbProcesses(path), msit::openAtbProcess, notes);
  if (!processes) {
    return tl::unexpected<Error>(std::move(processes.error()));
  }
  auto dump = std::make_shared<AtbDump>(path, std::move(*processes));
  dump->notes.insert(dump->notes.end(), notes.begin(), notes.end());
  return dump;
}

}  // namespace

void registerMsitAtb(ImporterRegistry& registry) {
  registry.add({"msit_atb", "msit llm dump of an ATB model", recognise, open});
}

}  // namespace ulp::dumps

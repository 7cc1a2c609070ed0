#include <algorithm>
#include <utility>

#include "views/framework/threads/background.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

auto findSource(std::vector<analysis::ReportSource>& sources, const std::filesystem::path& file) {
  return std::ranges::find_if(
      sources, [&](const analysis::ReportSource& source) { return source.loaded.file == file; });
}

}  // namespace

bool isUnsaved(const report::LoadedReport& loaded) {
  return loaded.folder.empty() && loaded.file.string().starts_with(kUnsavedPrefix);
}

void Workspace::openUnsaved(const report::LoadedReport& loaded) {
  Q_EMIT reportRequested();
  cancelLoading();
  m_wanted = {};
  m_isNew = true;
  setSources({{loaded, {}}});
}

bool Workspace::updateUnsaved(const report::LoadedReport& loaded) {
  std::vector<analysis::ReportSource> sources = m_wanted.sources;
  const auto open = findSource(sources, loaded.file);
  if (open == sources.end()) {
    return false;
  }
  // A state that was never shown is destroyed where those go that were.
  if (std::ranges::find(m_shownReports, open->loaded.report) == m_shownReports.end()) {
    m_shownReports.push_back(open->loaded.report);
  }
  open->loaded = loaded;
  setSources(std::move(sources));
  return true;
}

void Workspace::release(report::ReportPtr report) {
  if (std::ranges::find(m_shownReports, report) == m_shownReports.end()) {
    m_shownReports.push_back(std::move(report));
  }
  releaseUnused();
}

void Workspace::adoptFile(const std::filesystem::path& id, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "precision_report.json";
  remember(QString::fromStdString(file.string()));
  std::vector<analysis::ReportSource> sources = m_wanted.sources;
  const auto open = findSource(sources, id);
  if (open == sources.end()) {
    return;
  }
  open->loaded.file = file;
  open->loaded.folder = folder;
  setSources(std::move(sources));
}

}  // namespace ulp::views

#include "views/framework/workspace/recently_opened.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <QtCore/QFileInfo>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/json/record.h"
#include "core/report/files/report_json.h"

namespace ulp::views {
namespace {

constexpr std::size_t kMost = 8;
/// The settings are read and written as a whole, on the GUI thread.
constexpr std::size_t kLargestMapping = std::size_t{1} << 18;

QString toText(const report::DumpOrigin& origin) {
  json::Writer json;
  json.beginObject();
  json.key("dumps");
  json::writeRecord(json, origin, report::kDumpOriginFields);
  json.endObject();
  return QString::fromStdString(std::move(json).take());
}

}  // namespace

QStringList recentFiles(const SettingsStore& settings) {
  return settings.get(kRecentFiles);
}

void rememberFile(SettingsStore& settings, const QString& path) {
  if (path.startsWith(QLatin1Char(':'))) {
    return;
  }
  const QString absolute = QFileInfo(path).absoluteFilePath();
  settings.update(kRecentFiles, [&](QStringList files) {
    files.removeAll(absolute);
    files.prepend(absolute);
    return files.mid(0, std::clamp(settings.get(kRecentLimit), 0, 50));
  });
}

std::vector<report::DumpOrigin> recentComparisons(const SettingsStore& settings) {
  std::vector<report::DumpOrigin> recent;
  for (const QString& text : settings.get(kRecentComparisons)) {
    const std::string json = text.toStdString();
    json::Reader reader(json, "recent comparisons");
    std::optional<report::DumpOrigin> origin;
    reader.readObject([&](std::string_view field) {
      if (field == "dumps") {
        json::readRecord(reader, origin, report::kDumpOriginFields);
      } else {
        reader.skipValue();
      }
    });
    // What another version wrote, or a hand, is no comparison to offer.
    if (reader.finish() && origin && !origin->baseline.path.empty()) {
      recent.push_back(std::move(*origin));
    }
  }
  return recent;
}

void rememberComparison(SettingsStore& settings, const report::DumpOrigin& origin) {
  if (origin.mapping.size() > kLargestMapping) {
    return;
  }
  report::DumpOrigin added = origin;
  for (report::DumpSide* side : {&added.baseline, &added.candidate}) {
    std::error_code ignored;
    if (std::filesystem::path whole = std::filesystem::absolute(side->path, ignored); !ignored) {
      side->path = whole.lexically_normal();
    }
  }
  settings.update(kRecentComparisons, [&](const QStringList&) {
    std::vector<report::DumpOrigin> recent = recentComparisons(settings);
    std::erase_if(recent, [&](const report::DumpOrigin& one) { return isOfSameDumps(one, added); });
    recent.insert(recent.begin(), std::move(added));
    QStringList texts;
    for (std::size_t i = 0; i < std::min(recent.size(), kMost); ++i) {
      texts << toText(recent[i]);
    }
    return texts;
  });
}

bool isOfSameDumps(const report::DumpOrigin& left, const report::DumpOrigin& right) {
  return left.baseline == right.baseline && left.candidate == right.candidate;
}

QString comparisonTitle(const report::DumpOrigin& origin) {
  const std::string baseline = analysis::dumpNameOf(origin.baseline.path);
  const std::string candidate = analysis::dumpNameOf(origin.candidate.path);
  const auto side = [&](const std::string& name, const UnitAxes& units) {
    const std::string chosen = describe(units);
    return QString::fromStdString(chosen.empty() ? name : name + " (" + chosen + ")");
  };
  return QStringLiteral("%1 – %2").arg(side(candidate, origin.candidate.units),
                                       side(baseline, origin.baseline.units));
}

QString sideText(const report::DumpSide& side) {
  const QString path = QString::fromStdString(side.path.string());
  const std::string chosen = describe(side.units);
  return chosen.empty() ? path
                        : QStringLiteral("%1 (%2)").arg(path, QString::fromStdString(chosen));
}

}  // namespace ulp::views

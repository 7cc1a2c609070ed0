#include "views/framework/workspace/recently_opened.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QDate>
#include <QtCore/QFileInfo>

#include "core/comparing/verdict/dump_comparison.h"
#include "core/json/record.h"
#include "core/remote/fetching/fetched_files.h"
#include "core/report/files/report_json.h"
#include "core/report/model/one_dump.h"
#include "views/framework/workspace/bundled_example.h"

namespace ulp::views {
namespace {

constexpr std::size_t kMost = 8;
/// The settings are read and written as a whole.
constexpr std::size_t kLargestMapping = std::size_t{1} << 18;

const QString kReportKind = QStringLiteral("report");
const QString kStudyKind = QStringLiteral("study");
constexpr QChar kBetween = u'\n';

struct RecentlyOpenedWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::RecentlyOpened)
};

/// One line each, path first.
QString toText(const QString& path, const RecentAbout& about) {
  QStringList lines{path, about.kind, about.model, about.date};
  for (qsizetype i = 1; i < lines.size(); ++i) {
    lines[i].replace(kBetween, u' ');
  }
  return lines.join(kBetween);
}

QString pathOf(const QString& about) {
  return about.section(kBetween, 0, -4);
}

/// What is known of files, by path.
std::map<QString, RecentAbout> allAbout(const SettingsStore& settings) {
  std::map<QString, RecentAbout> all;
  for (const QString& text : settings.get(kRecentAbout)) {
    all[pathOf(text)] = {.kind = text.section(kBetween, -3, -3),
                         .model = text.section(kBetween, -2, -2),
                         .date = text.section(kBetween, -1, -1)};
  }
  return all;
}

QString kindText(const QString& kind) {
  return kind == kReportKind  ? RecentlyOpenedWords::tr("Report")
         : kind == kStudyKind ? RecentlyOpenedWords::tr("Study")
                              : QString();
}

QString toText(const report::DumpOrigin& origin) {
  json::Writer json;
  json.beginObject();
  json.key("dumps");
  json::writeRecord(json, origin, report::kDumpOriginFields);
  json.endObject();
  return QString::fromStdString(std::move(json).take());
}

std::vector<report::DumpOrigin> toOrigins(const QStringList& texts) {
  std::vector<report::DumpOrigin> recent;
  for (const QString& text : texts) {
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

}  // namespace

QStringList recentFiles(const SettingsStore& settings) {
  return settings.get(kRecentFiles);
}

void rememberFile(SettingsStore& settings, const QString& path, const RecentAbout& about) {
  if (isExample(path.toStdString())) {
    return;
  }
  // What is on a host is opened from there the next time.
  const QString onHost =
      QString::fromStdString(remote::placeOnHost(QFileInfo(path).absoluteFilePath().toStdString()));
  const QString absolute = onHost.isEmpty() ? QFileInfo(path).absoluteFilePath() : onHost;
  const int limit = std::clamp(settings.get(kRecentLimit), 0, 50);
  const auto newestFirst = [absolute, limit](QStringList files) {
    files.removeAll(absolute);
    files.prepend(absolute);
    return files.mid(0, limit);
  };
  // First what is shown beside the list, which whoever follows the list reads.
  const QStringList files = newestFirst(settings.get(kRecentFiles));
  settings.update(kRecentAbout, [files, absolute, about](QStringList texts) {
    texts.removeIf([&](const QString& text) {
      const QString known = pathOf(text);
      return known == absolute || !files.contains(known);
    });
    texts << toText(absolute, about);
    return texts;
  });
  settings.update(kRecentFiles, newestFirst);
}

void rememberReport(SettingsStore& settings, const QString& path, const report::Report& report) {
  rememberFile(settings,
               path,
               {.kind = kReportKind,
                .model = QString::fromStdString(report.model.name),
                .date = QString::fromStdString(report.provenance.startedAt).left(10)});
}

void rememberStudy(SettingsStore& settings, const QString& path) {
  rememberFile(settings,
               path,
               {.kind = kStudyKind,
                .model = allAbout(settings)[QFileInfo(path).absoluteFilePath()].model,
                .date = QDate::currentDate().toString(Qt::ISODate)});
}

void noteRecentModel(SettingsStore& settings, const QString& path, const QString& model) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  const std::map<QString, RecentAbout> all = allAbout(settings);
  const auto before = all.find(absolute);
  if (before == all.end() || before->second.model == model) {
    return;
  }
  const QString about = toText(absolute, {before->second.kind, model, before->second.date});
  settings.update(kRecentAbout, [absolute, about](QStringList texts) {
    texts.removeIf([&](const QString& text) { return pathOf(text) == absolute; });
    texts << about;
    return texts;
  });
}

std::vector<RecentFile> recentFilesWithText(const SettingsStore& settings) {
  std::map<QString, RecentAbout> all = allAbout(settings);
  std::vector<RecentFile> files;
  for (const QString& path : recentFiles(settings)) {
    const RecentAbout& about = all[path];
    QStringList parts{kindText(about.kind), about.model, about.date};
    parts.removeAll(QString());
    files.push_back({path, parts.join(QStringLiteral(" · "))});
  }
  return files;
}

std::vector<std::filesystem::path> recentReports(const SettingsStore& settings) {
  std::map<QString, RecentAbout> all = allAbout(settings);
  std::vector<std::filesystem::path> reports;
  for (const QString& path : recentFiles(settings)) {
    if (all[path].kind == kReportKind) {
      const std::filesystem::path file = path.toStdString();
      reports.push_back(file.extension() == ".json" ? file : file / "precision_report.json");
    }
  }
  return reports;
}

std::vector<report::DumpOrigin> recentComparisons(const SettingsStore& settings) {
  return toOrigins(settings.get(kRecentComparisons));
}

void rememberComparison(SettingsStore& settings, const report::DumpOrigin& origin) {
  if (origin.mapping.size() > kLargestMapping) {
    return;
  }
  report::DumpOrigin added = origin;
  for (report::DumpSide* side : {&added.baseline, &added.candidate}) {
    std::error_code ignored;
    if (side->path.empty()) {
      continue;  // of one dump
    }
    if (std::filesystem::path whole = std::filesystem::absolute(side->path, ignored); !ignored) {
      side->path = whole.lexically_normal();
    }
  }
  settings.update(kRecentComparisons, [added](const QStringList& before) {
    std::vector<report::DumpOrigin> recent = toOrigins(before);
    std::erase_if(recent, [&](const report::DumpOrigin& one) { return isOfSameDumps(one, added); });
    recent.insert(recent.begin(), added);
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
  return report::isOneDump(origin)
             ? side(baseline, origin.baseline.units)
             : QStringLiteral("%1 – %2").arg(side(candidate, origin.candidate.units),
                                             side(baseline, origin.baseline.units));
}

QString comparisonPaths(const report::DumpOrigin& origin) {
  const QString baseline = sideText(origin.baseline);
  return report::isOneDump(origin)
             ? baseline
             : QStringLiteral("%1\n%2").arg(baseline, sideText(origin.candidate));
}

QString sideText(const report::DumpSide& side) {
  const QString path = QString::fromStdString(side.path.string());
  const std::string chosen = describe(side.units);
  return chosen.empty() ? path
                        : QStringLiteral("%1 (%2)").arg(path, QString::fromStdString(chosen));
}

}  // namespace ulp::views

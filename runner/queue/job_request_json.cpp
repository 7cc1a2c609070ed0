#include "runner/queue/job_request_json.h"

#include <array>
#include <utility>

#include <QtCore/QJsonObject>

namespace ulp::queue {
namespace {

using Existing = std::pair<worker::ExistingResults, const char*>;
constexpr std::array<Existing, 3> kExisting{{{worker::ExistingResults::Refuse, "refuse"},
                                             {worker::ExistingResults::Resume, "resume"},
                                             {worker::ExistingResults::Overwrite, "overwrite"}}};

QString pathText(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

QStringList texts(const QJsonValue& json) {
  return json.toVariant().toStringList();
}

QJsonObject toJson(const JobRequest& request) {
  QStringList runs;
  for (const JobRun& run : request.expectedRuns) {
    runs << run.name;
  }
  QString existing;
  for (const auto& [value, name] : kExisting) {
    existing = value == request.existing ? QString::fromLatin1(name) : existing;
  }
  return {{QStringLiteral("study"), pathText(request.studyFile)},
          {QStringLiteral("output"), pathText(request.outputDir)},
          {QStringLiteral("sets"), QJsonArray::fromStringList(request.sets)},
          {QStringLiteral("variants"), QJsonArray::fromStringList(request.variants)},
          {QStringLiteral("device"), request.device},
          {QStringLiteral("threads"), request.threads},
          {QStringLiteral("existing"), existing},
          {QStringLiteral("keepsFailed"), request.keepsFailed},
          {QStringLiteral("runs"), QJsonArray::fromStringList(runs)},
          {QStringLiteral("skips"), QJsonArray::fromStringList(request.skips)},
          {QStringLiteral("host"), request.host}};
}

}  // namespace

QJsonArray toJson(const std::vector<JobRequest>& requests) {
  QJsonArray all;
  for (const JobRequest& request : requests) {
    all << toJson(request);
  }
  return all;
}

std::vector<JobRequest> requestsFromJson(const QJsonArray& json) {
  std::vector<JobRequest> all;
  for (const QJsonValue item : json) {
    const QJsonObject object = item.toObject();
    JobRequest request;
    request.studyFile = object[QStringLiteral("study")].toString().toStdString();
    if (request.studyFile.empty()) {
      continue;
    }
    request.outputDir = object[QStringLiteral("output")].toString().toStdString();
    request.sets = texts(object[QStringLiteral("sets")]);
    request.variants = texts(object[QStringLiteral("variants")]);
    request.device = object[QStringLiteral("device")].toString();
    request.threads = object[QStringLiteral("threads")].toInt();
    const QString existing = object[QStringLiteral("existing")].toString();
    for (const auto& [value, name] : kExisting) {
      request.existing = existing == QLatin1String(name) ? value : request.existing;
    }
    request.keepsFailed = object[QStringLiteral("keepsFailed")].toBool();
    for (const QString& run : texts(object[QStringLiteral("runs")])) {
      request.expectedRuns.push_back({.name = run});
    }
    request.skips = texts(object[QStringLiteral("skips")]);
    request.host = object[QStringLiteral("host")].toString();
    all.push_back(std::move(request));
  }
  return all;
}

}  // namespace ulp::queue

#include "core/report/model/finding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json/reader.h"
#include "core/json/writer.h"

namespace ulp::report {
namespace {

constexpr std::string_view kField = "findings";
constexpr std::array<std::pair<FindingSeverity, std::string_view>, 3> kSeverities{
    {{FindingSeverity::Note, "note"},
     {FindingSeverity::Look, "look"},
     {FindingSeverity::Broken, "broken"}}};

void writeSites(json::Writer& json, const std::vector<Site>& sites) {
  json.key("sites");
  json.beginArray();
  for (const Site& site : sites) {
    json.beginObject();
    json.field("name", site.name);
    json.field("module", site.module);
    json.field("layer", site.layer);
    json.field("level", toString(site.level));
    json.field("pass", toString(site.pass));
    json.endObject();
  }
  json.endArray();
}

/// Which of the numbers are shown as percentages; left out where none is.
void writeRatios(json::Writer& json, const Finding& finding) {
  const auto isRatio = [](const FindingNumber& number) { return number.isRatio; };
  if (std::none_of(finding.numbers.begin(), finding.numbers.end(), isRatio)) {
    return;
  }
  json.key("ratios");
  json.beginArray();
  for (const FindingNumber& number : finding.numbers) {
    if (number.isRatio) {
      json.value(std::string_view(number.name));
    }
  }
  json.endArray();
}

void writeFinding(json::Writer& json, const Finding& finding) {
  json.newLine(2);
  json.beginObject();
  json.field("rule", finding.rule);
  json.field("severity", toString(finding.severity));
  json.field("title", finding.title.text());
  json.field("explanation", finding.explanation.text());
  json.key("runs");
  json.beginArray();
  for (const std::string& run : finding.runs) {
    json.value(std::string_view(run));
  }
  json.endArray();
  writeSites(json, finding.sites);
  json.key("numbers");
  json.beginObject();
  for (const FindingNumber& number : finding.numbers) {
    json.field(number.name, number.value);
  }
  json.endObject();
  writeRatios(json, finding);
  json.key("overrides");
  json.beginObject();
  for (const auto& [path, value] : finding.overrides) {
    json.field(path, value);
  }
  json.endObject();
  json.endObject();
}

Site readSite(json::Reader& json) {
  Site site;
  json.readObject([&](std::string_view field) {
    if (field == "name") {
      site.name = json.readString();
    } else if (field == "module") {
      site.module = json.readString();
    } else if (field == "layer") {
      site.layer = static_cast<int>(std::clamp<std::int64_t>(json.readInteger(), -1, 1 << 30));
    } else if (field == "level") {
      site.level = parseLevel(json.readString()).value_or(Level::Module);
    } else if (field == "pass") {
      site.pass = parsePass(json.readString()).value_or(Pass::Forward);
    } else {
      json.skipValue();
    }
  });
  return site;
}

/// Fields that are lists or objects. `ratios` are names of numbers, which may come later.
void readList(json::Reader& json,
              Finding& finding,
              std::vector<std::string>& ratios,
              std::string_view field) {
  if (field == "ratios") {
    json.readArray([&] { ratios.push_back(json.readString()); });
  } else if (field == "runs") {
    json.readArray([&] { finding.runs.push_back(json.readString()); });
  } else if (field == "sites") {
    json.readArray([&] { finding.sites.push_back(readSite(json)); });
  } else if (field == "numbers") {
    json.readObject([&](std::string_view name) {
      std::string key(name);
      finding.numbers.push_back({.name = std::move(key), .value = json.readNumber()});
    });
  } else if (field == "overrides") {
    json.readObject([&](std::string_view path) {
      std::string key(path);
      finding.overrides[std::move(key)] = json.readString();
    });
  } else {
    json.skipValue();
  }
}

Finding readFinding(json::Reader& json) {
  Finding finding;
  std::vector<std::string> ratios;
  json.readObject([&](std::string_view field) {
    if (field == "rule") {
      finding.rule = json.readString();
    } else if (field == "severity") {
      finding.severity = parseFindingSeverity(json.readString()).value_or(FindingSeverity::Note);
    } else if (field == "title") {
      finding.title.pattern = json.readString();
    } else if (field == "explanation") {
      finding.explanation.pattern = json.readString();
    } else {
      readList(json, finding, ratios, field);
    }
  });
  for (FindingNumber& number : finding.numbers) {
    number.isRatio = std::find(ratios.begin(), ratios.end(), number.name) != ratios.end();
  }
  return finding;
}

}  // namespace

std::string_view toString(FindingSeverity severity) {
  const auto found = std::find_if(kSeverities.begin(), kSeverities.end(), [&](const auto& entry) {
    return entry.first == severity;
  });
  return found->second;
}

std::optional<FindingSeverity> parseFindingSeverity(std::string_view name) {
  const auto found = std::find_if(kSeverities.begin(), kSeverities.end(), [&](const auto& entry) {
    return entry.second == name;
  });
  return found == kSeverities.end() ? std::nullopt : std::optional(found->first);
}

std::string Sentence::text() const {
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : ' ';
    const auto number = static_cast<std::size_t>(next - '1');
    if (pattern[i] == '%' && next >= '1' && next <= '9' && number < arguments.size()) {
      out += arguments[number];
      ++i;
    } else {
      out += pattern[i];
    }
  }
  return out;
}

Result<std::vector<Finding>> readFindings(const Report& report) {
  std::vector<Finding> findings;
  if (report.extraJson.empty()) {
    return findings;
  }
  json::Reader json(report.extraJson, "findings of the report");
  json.readObject([&](std::string_view field) {
    if (field == kField) {
      json.readArray([&] { findings.push_back(readFinding(json)); });
    } else {
      json.skipValue();
    }
  });
  ULP_TRY(json.finish());
  return findings;
}

void setFindings(Report& report, const std::vector<Finding>& findings) {
  json::Writer out;
  out.beginObject();
  if (!findings.empty()) {
    // The writer of the report looks for findings at the front.
    out.key(kField);
    out.beginArray();
    for (const Finding& finding : findings) {
      writeFinding(out, finding);
    }
    out.newLine(1);
    out.endArray();
  }
  bool hasFields = !findings.empty();
  if (!report.extraJson.empty()) {
    json::Reader others(report.extraJson, kField);
    others.readObject([&](std::string_view field) {
      const std::string name(field);
      const std::string_view raw = others.skipValue();
      if (name != kField) {
        out.key(name);
        out.raw(raw);
        hasFields = true;
      }
    });
  }
  out.endObject();
  report.extraJson = hasFields ? std::move(out).take() : std::string();
}

}  // namespace ulp::report

#include "core/report/model/finding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json/record.h"

namespace ulp::report {
namespace {

constexpr std::string_view kField = "findings";
constexpr std::array<std::string_view, 3> kSeverities{"note", "look", "broken"};

void writeSite(json::Writer& json, const Site& site) {
  json.beginObject();
  json.field("name", site.name);
  json.field("module", site.module);
  json.field("layer", site.layer);
  json.field("level", toString(site.level));
  json.field("pass", toString(site.pass));
  json.endObject();
}

/// Names the numbers that are shown as percentages.
std::vector<std::string> ratiosOf(const Finding& finding) {
  std::vector<std::string> ratios;
  for (const FindingNumber& number : finding.numbers) {
    if (number.isRatio) {
      ratios.push_back(number.name);
    }
  }
  return ratios;
}

void writeFinding(json::Writer& json, const Finding& finding) {
  json.newLine(2);
  json.beginObject();
  json.field("rule", finding.rule);
  json.field("severity", toString(finding.severity));
  json.field("title", finding.title.text());
  json.field("explanation", finding.explanation.text());
  json.key("runs");
  json::writeValue(json, finding.runs);
  json.key("sites");
  json::writeItems(json, finding.sites, [&](const Site& site) { writeSite(json, site); });
  json.key("numbers");
  json.beginObject();
  for (const FindingNumber& number : finding.numbers) {
    json.field(number.name, number.value);
  }
  json.endObject();
  if (const std::vector<std::string> ratios = ratiosOf(finding); !ratios.empty()) {
    json.key("ratios");
    json::writeValue(json, ratios);
  }
  json.key("overrides");
  json::writeValue(json, finding.overrides);
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
    json::readInto(json, ratios);
  } else if (field == "runs") {
    json::readInto(json, finding.runs);
  } else if (field == "sites") {
    json.readArray([&] { finding.sites.push_back(readSite(json)); });
  } else if (field == "numbers") {
    json.readObject([&](std::string_view name) {
      std::string key(name);
      finding.numbers.push_back({.name = std::move(key), .value = json.readNumber()});
    });
  } else if (field == "overrides") {
    json::readInto(json, finding.overrides);
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
    number.isRatio = std::ranges::find(ratios, number.name) != ratios.end();
  }
  return finding;
}

}  // namespace

std::string_view toString(FindingSeverity severity) {
  return kSeverities.at(static_cast<std::size_t>(severity));
}

std::optional<FindingSeverity> parseFindingSeverity(std::string_view name) {
  const auto* const found = std::ranges::find(kSeverities, name);
  return found == kSeverities.end()
             ? std::nullopt
             : std::optional(static_cast<FindingSeverity>(found - kSeverities.begin()));
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

#include "core/report/model/finding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json/record.h"

namespace ulp::report {
namespace {

constexpr std::string_view kField = "findings";
constexpr std::array<std::string_view, 3> kSeverities{"note", "look", "broken"};

constexpr auto kLayer = json::field<&Site::layer>("layer");

constexpr std::array kFoundSiteFields{
    json::field<&Site::name>("name"),
    json::field<&Site::module>("module"),
    json::Field<Site>{kLayer.name,
                      [](json::Reader& json, Site& site) {
                        site.layer = static_cast<int>(
                            std::clamp<std::int64_t>(json.readInteger(), -1, 1 << 30));
                      },
                      kLayer.write},
    json::enumField<&Site::level, parseLevel, Level::Module>("level"),
    json::enumField<&Site::pass, parsePass, Pass::Forward>("pass")};

/// Makes the field of a sentence, which is kept as finished text.
template <Sentence Finding::*kSentence>
constexpr json::Field<Finding> sentenceField(std::string_view name) {
  return {name,
          [](json::Reader& json, Finding& finding) {
            (finding.*kSentence).pattern = json.readString();
          },
          [](json::Writer& json, std::string_view key, const Finding& finding) {
            json.field(key, (finding.*kSentence).text());
          }};
}

constexpr json::Field<Finding> kNumbersField{
    "numbers",
    [](json::Reader& json, Finding& finding) {
      json.readObject([&](std::string_view name) {
        std::string key(name);
        finding.numbers.push_back({.name = std::move(key), .value = json.readNumber()});
      });
    },
    [](json::Writer& json, std::string_view name, const Finding& finding) {
      json.field(name, [&] {
        for (const FindingNumber& number : finding.numbers) {
          json.field(number.label(), number.value);
        }
      });
    }};

/// Names the numbers that are shown as percentages. They may come behind this field: readFinding()
/// reads it.
constexpr json::Field<Finding> kRatiosField{
    "ratios", nullptr, [](json::Writer& json, std::string_view name, const Finding& finding) {
      std::vector<std::string> ratios;
      for (const FindingNumber& number : finding.numbers) {
        if (number.isRatio) {
          ratios.push_back(number.label());
        }
      }
      if (!ratios.empty()) {
        json.field(name, ratios);
      }
    }};

constexpr std::array kFindingFields{
    json::field<&Finding::rule>("rule"),
    json::enumField<&Finding::severity, parseFindingSeverity, FindingSeverity::Note>("severity"),
    sentenceField<&Finding::title>("title"),
    sentenceField<&Finding::explanation>("explanation"),
    json::field<&Finding::runs>("runs"),
    json::recordField<&Finding::sites, kFoundSiteFields>("sites"),
    kNumbersField,
    kRatiosField,
    json::field<&Finding::overrides>("overrides")};

Finding readFinding(json::Reader& json) {
  Finding finding;
  std::vector<std::string> ratios;
  json.readObject([&](std::string_view field) {
    if (field == kRatiosField.name) {
      json::readInto(json, ratios);
    } else if (!json::readField(json, finding, kFindingFields, field)) {
      json.skipValue();
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
  const auto write = [&](const Finding& finding) {
    json::writeFields(out, finding, kFindingFields);
  };
  out.beginObject();
  if (!findings.empty()) {
    // The writer of the report looks for findings at the front.
    out.objects(kField, findings, write, {.items = 2, .end = 1});
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

#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/undefined.h"
#include "core/base/unit_axes.h"
#include "core/json/record.h"
#include "core/report/model/dump_origin.h"
#include "core/report/model/report.h"

/// What precision_report.json says of a study beside its runs, and the field `axes` of these.
namespace ulp::report {

inline bool hasSamples(const Provenance& provenance) {
  return provenance.samples > 1;
}
inline bool hasSequences(const Provenance& provenance) {
  return provenance.sequences != 0;
}

/// Makes a run of which nothing is known but that it has finished.
inline Run finishedRun(std::string_view name) {
  return {.name = std::string(name),
          .status = RunStatus::Finished,
          .loss = kUndefined,
          .hasLoss = false};
}

inline constexpr std::array kVersionFields{json::field<&Provenance::ulpscopeVersion>("ulpscope"),
                                           json::field<&Provenance::torchVersion>("torch")};

/// Reports of one sample say nothing of samples.
inline constexpr std::array kProvenanceFields{
    json::groupField<kVersionFields>("versions"),
    json::field<&Provenance::engine, json::isGiven<&Provenance::engine>>("engine"),
    json::field<&Provenance::device>("device"),
    json::field<&Provenance::deviceFacts, json::isGiven<&Provenance::deviceFacts>>("device_facts"),
    json::field<&Provenance::threads>("threads"),
    json::field<&Provenance::weightsDigest>("weights_digest"),
    json::field<&Provenance::tokenDigest>("token_digest"),
    json::field<&Provenance::input, json::isGiven<&Provenance::input>>("input"),
    json::field<&Provenance::samples, hasSamples>("samples"),
    json::field<&Provenance::sequences, hasSequences>("sequences"),
    json::field<&Provenance::sequenceLength, hasSequences>("sequence_length"),
    json::field<&Provenance::startedAt>("start"),
    json::field<&Provenance::seconds>("seconds")};

inline constexpr std::array kModelFields{
    json::field<&ModelSummary::name>("name"),
    json::field<&ModelSummary::family>("family"),
    json::field<&ModelSummary::layers>("layers"),
    json::field<&ModelSummary::parameters, json::isGiven<&ModelSummary::parameters>>("parameters")};

inline constexpr std::array kStudyFields{json::rawField<&Report::effectiveJson>("effective"),
                                         json::field<&Report::studyYaml>("yaml")};

inline constexpr std::array kAxesFields{
    json::field<&UnitAxes::run, json::isGiven<&UnitAxes::run>>("run"),
    json::field<&UnitAxes::step>("step"),
    json::field<&UnitAxes::rank>("rank"),
    json::field<&UnitAxes::token>("token")};

/// Makes a field of `path`, with the axes of a choice of units beside it.
template <DumpSide DumpOrigin::*kSide>
constexpr json::Field<DumpOrigin> dumpSideField(std::string_view name) {
  return {name,
          [](json::Reader& json, DumpOrigin& origin) {
            DumpSide& side = origin.*kSide;
            json.readObject([&](std::string_view field) {
              if (field == "path") {
                side.path = json.readString();
              } else if (!json::readField(json, side.units, kAxesFields, field)) {
                json.skipValue();
              }
            });
          },
          [](json::Writer& json, std::string_view key, const DumpOrigin& origin) {
            json.field(key, [&] {
              json.field("path", (origin.*kSide).path.string());
              json::writeFields(json, (origin.*kSide).units, kAxesFields);
            });
          }};
}

inline constexpr std::array kDumpOriginFields{
    dumpSideField<&DumpOrigin::baseline>("baseline"),
    dumpSideField<&DumpOrigin::candidate>("candidate"),
    json::field<&DumpOrigin::mapping, json::isGiven<&DumpOrigin::mapping>>("mapping"),
    json::Field<DumpOrigin>{
        "compared",
        [](json::Reader& json, DumpOrigin& origin) {
          origin.readsElements = json.readString() != "recorded";
        },
        [](json::Writer& json, std::string_view name, const DumpOrigin& origin) {
          if (!origin.readsElements) {
            json.field(name, std::string_view("recorded"));
          }
        }}};

/// What stands before the runs, a line each.
inline constexpr std::array kHeadFields{
    json::recordField<&Report::provenance, kProvenanceFields>("provenance"),
    json::groupField<kStudyFields>("study"),
    json::recordField<&Report::model, kModelFields>("model"),
    json::recordField<&Report::dumps, kDumpOriginFields>("dumps"),
    json::field<&Report::reference>("reference")};

}  // namespace ulp::report

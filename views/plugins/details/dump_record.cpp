#include "views/plugins/details/dump_record.h"

#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QRegularExpression>

#include "core/base/text/format_number.h"
#include "core/report/model/one_dump.h"
#include "views/framework/document/tensor_pair_source.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

constexpr int kStatisticDigits = 6;

struct DumpRecordWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::DumpRecord)
};

QString numberText(const std::optional<double>& value) {
  if (!value) {
    return missingText();
  }
  return std::isfinite(*value) ? QString::number(*value, 'g', kStatisticDigits)
                               : QString::fromStdString(formatSignificant(*value));
}

QString kindText(CallRow::Kind kind) {
  switch (kind) {
    case CallRow::Kind::Call:
      return DumpRecordWords::tr("call");
    case CallRow::Kind::Enclosing:
      return DumpRecordWords::tr("inside");
    case CallRow::Kind::Frame:
      break;
  }
  return DumpRecordWords::tr("frame");
}

/// "modeling_llama.py:309 in forward: x = self.q_proj(x)" of a frame as Python tools write it, so
/// that a narrow column shows what matters; others as they are.
QString shortFrame(const QString& frame) {
  static const QRegularExpression kFrame(
      QStringLiteral("^File (?:.*/)?([^/]+), line (\\d+), in ([^,]+),\\s*(.*)$"));
  const QRegularExpressionMatch match = kFrame.match(frame);
  if (!match.hasMatch()) {
    return frame;
  }
  const QString place = DumpRecordWords::tr("%1:%2 in %3")
                            .arg(match.captured(1), match.captured(2), match.captured(3));
  const QString code = match.captured(4);
  return code.isEmpty() ? place : QStringLiteral("%1: %2").arg(place, code);
}

QString shownText(const CallRow& row) {
  return row.kind == CallRow::Kind::Frame ? shortFrame(row.text) : row.text;
}

void addNumber(std::vector<RecordedRow>& rows,
               const QString& title,
               const std::optional<double>& baseline,
               const std::optional<double>& candidate) {
  if (baseline || candidate) {
    const bool bothNan =
        baseline && candidate && *baseline != *baseline && *candidate != *candidate;
    rows.push_back(
        {title, numberText(baseline), numberText(candidate), baseline != candidate && !bothNan});
  }
}

void addText(std::vector<RecordedRow>& rows,
             const QString& title,
             const std::string& baseline,
             const std::string& candidate) {
  if (!baseline.empty() || !candidate.empty()) {
    rows.push_back({title,
                    QString::fromStdString(baseline),
                    QString::fromStdString(candidate),
                    baseline != candidate});
  }
}

std::shared_ptr<const std::vector<RecordedRow>> recordedOf(const dumps::DumpRow& baseline,
                                                           const dumps::DumpRow& candidate) {
  auto rows = std::make_shared<std::vector<RecordedRow>>();
  addText(*rows, DumpRecordWords::tr("Name"), baseline.name, candidate.name);
  addText(*rows, DumpRecordWords::tr("Format"), baseline.dtype, candidate.dtype);
  rows->push_back({DumpRecordWords::tr("Shape"),
                   shapeText(baseline.shape),
                   shapeText(candidate.shape),
                   baseline.shape != candidate.shape});
  addNumber(
      *rows, DumpRecordWords::tr("Maximum"), baseline.statistics.max, candidate.statistics.max);
  addNumber(
      *rows, DumpRecordWords::tr("Minimum"), baseline.statistics.min, candidate.statistics.min);
  addNumber(
      *rows, DumpRecordWords::tr("Mean"), baseline.statistics.mean, candidate.statistics.mean);
  addNumber(
      *rows, DumpRecordWords::tr("L2 norm"), baseline.statistics.norm, candidate.statistics.norm);
  addText(*rows, DumpRecordWords::tr("Checksum"), baseline.checksum, candidate.checksum);
  return rows;
}

/// Of the candidate, which is what is looked into; of the baseline where that says nothing.
std::shared_ptr<const std::vector<CallRow>> callsOf(const analysis::ComparedTensor& tensor) {
  auto rows = std::make_shared<std::vector<CallRow>>();
  const dumps::DumpUnit& baseline = *tensor.units.baseline;
  const dumps::DumpUnit& candidate = *tensor.units.candidate;
  const dumps::DumpEntry& call = candidate.entries[tensor.candidateEntry];
  rows->push_back({CallRow::Kind::Call, QString::fromStdString(call.name)});
  for (const std::string& name : analysis::enclosingCalls(tensor)) {
    rows->push_back({CallRow::Kind::Enclosing, QString::fromStdString(name)});
  }
  const std::size_t own = call.stack;
  const std::size_t other = baseline.entries[tensor.baselineEntry].stack;
  const std::vector<std::string>* frames = own < candidate.stacks.size() ? &candidate.stacks[own]
                                           : other < baseline.stacks.size()
                                               ? &baseline.stacks[other]
                                               : nullptr;
  if (frames != nullptr) {
    for (const std::string& frame : *frames) {
      rows->push_back({CallRow::Kind::Frame, QString::fromStdString(frame).simplified()});
    }
  }
  return rows;
}

Column<RecordedRow> sideColumn(const QString& title, QString RecordedRow::*side) {
  Column<RecordedRow> column{.title = title, .roles = textRoles<RecordedRow>(side)};
  column.roles[DimRole] = [](const RecordedRow& row) { return !row.differs; };
  return column;
}

}  // namespace

DumpRecord recordOf(const analysis::ComparedTensor& tensor) {
  return {.recorded = recordedOf(tensor.baseline(), tensor.candidate()), .calls = callsOf(tensor)};
}

DumpRecord readDumpRecord(const CaptureOrigin& place,
                          const Site& shown,
                          const std::stop_token& stop) {
  Site own = shown;
  own.name = place.site;
  const auto found = place.dumps->find(place.run, own, stop);
  if (!found) {
    return {.problem = dumpsProblem(found.error(), place.dumps->origin()).text};
  }
  if (!*found) {
    return {.problem = DumpRecordWords::tr("The dumps do not hold this tensor any more.")};
  }
  DumpRecord record = recordOf(**found);
  record.isOfOneDump = report::isOneDump(place.dumps->origin());
  return record;
}

std::vector<Column<RecordedRow>> recordedColumns(bool isOfOneDump) {
  if (isOfOneDump) {
    return {{.title = DumpRecordWords::tr("Recorded"),
             .roles = textRoles<RecordedRow>(&RecordedRow::title)},
            {.title = DumpRecordWords::tr("Value"),
             .roles = textRoles<RecordedRow>(&RecordedRow::baseline)}};
  }
  return {sideColumn(DumpRecordWords::tr("Recorded"), &RecordedRow::title),
          sideColumn(DumpRecordWords::tr("Baseline"), &RecordedRow::baseline),
          sideColumn(DumpRecordWords::tr("Candidate"), &RecordedRow::candidate)};
}

std::vector<Column<CallRow>> callColumns() {
  return {{.title = {},
           .roles = textRoles<CallRow>([](const CallRow& row) { return kindText(row.kind); })},
          {.title = DumpRecordWords::tr("Where it was made"),
           .roles = {{Qt::DisplayRole, shownText},
                     {Qt::ToolTipRole, &CallRow::text},
                     {RawRole, &CallRow::text}}}};
}

}  // namespace ulp::views

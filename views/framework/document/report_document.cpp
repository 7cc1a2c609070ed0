#include "views/framework/document/report_document.h"

#include <algorithm>
#include <array>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/comparing/verdict/compared_dumps.h"
#include "core/report/summary/ulp_count.h"
#include "views/framework/look/theme.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

constexpr std::size_t kPassCount = kPasses.size();

struct ReportDocumentWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::ReportDocument)
};

std::size_t passIndex(Pass pass) {
  return static_cast<std::size_t>(pass);
}

/// Merges the rows of several runs into one order: a row that an earlier run lacks goes behind the
/// row that precedes it in its own run.
class SiteMerger {
 public:
  struct Entry {
    const Site* site = nullptr;
    std::int32_t place = -1;  ///< in the merged order, once it is complete
  };

  /// The entry of each row.
  std::vector<const Entry*> add(const std::vector<report::Comparison>& comparisons) {
    std::vector<const Entry*> entries;
    entries.reserve(comparisons.size());
    auto after = m_entries.begin();
    for (const report::Comparison& comparison : comparisons) {
      const Site& site = comparison.site;
      // Runs mostly have the same rows in the same order.
      if (after == m_entries.end() || after->site->pass != site.pass ||
          after->site->name != site.name) {
        after = findOrInsert(site, after);
      }
      entries.push_back(&*after);
      ++after;
    }
    return entries;
  }

  [[nodiscard]] std::vector<Site> finish() {
    std::vector<Site> sites;
    sites.reserve(m_entries.size());
    for (Entry& entry : m_entries) {
      entry.place = static_cast<std::int32_t>(sites.size());
      sites.push_back(*entry.site);
    }
    return sites;
  }

 private:
  using Place = std::list<Entry>::iterator;

  Place findOrInsert(const Site& site, Place before) {
    auto& places = m_places.at(passIndex(site.pass));
    const auto [known, isNew] = places.try_emplace(site.name);
    if (isNew) {
      known->second = m_entries.insert(before, Entry{&site, -1});
    }
    return known->second;
  }

  std::list<Entry> m_entries;
  std::array<std::unordered_map<std::string_view, Place>, kPassCount> m_places;
};

/// "repeat" of the run "floor.repeat", whatever was put behind it to tell two reports apart.
QString shortFloorName(const std::string& run) {
  const QString name = QString::fromStdString(run);
  const QString prefix = QStringLiteral("floor.");
  const QString own = name.section(QLatin1Char(' '), 0, 0);
  return own.startsWith(prefix) ? own.mid(prefix.size()) : name;
}

/// Says what a metric is of where it is not the error against the reference.
void relate(MetricInfo& info, const DocumentBasis& basis) {
  if (basis.baseline.isEmpty()) {
    return;
  }
  const bool isError = report::measuresError(info.id.toStdString());
  if (basis.relation == Relation::Error) {
    info.label =
        (isError ? ReportDocumentWords::tr("%1 against %2") : ReportDocumentWords::tr("%1 of %2"))
            .arg(info.label, basis.baseline);
    return;
  }
  // A metric of the reference alone is not put in relation (analysis::relateReport).
  if (!isError) {
    return;
  }
  info.isDrawnFromOne = false;
  if (basis.relation == Relation::Ratio) {
    info.formula = ReportDocumentWords::tr("that of the run ÷ that of %1; %2")
                       .arg(basis.baseline, info.formula);
    info.label = QStringLiteral("%1 ÷ %2").arg(info.label, basis.baseline);
    info.unit = numerics::MetricUnit::None;
    info.scale = numerics::MetricScale::Logarithmic;
  } else {
    info.formula = ReportDocumentWords::tr("that of the run − that of %1; %2")
                       .arg(basis.baseline, info.formula);
    info.label = QStringLiteral("%1 − %2").arg(info.label, basis.baseline);
    info.scale = numerics::MetricScale::Linear;
  }
}

/// In which format the runs count ULP, "of bfloat16"; empty where nobody knows.
QString ulpFormatsOf(const std::vector<const report::Run*>& runs) {
  std::optional<DType> only;
  const report::Comparison* before = nullptr;
  for (const report::Run* run : runs) {
    for (const report::Comparison& row : run->comparisons) {
      // Rows of equal formats follow each other.
      if (before != nullptr && row.variantDType == before->variantDType &&
          row.referenceDType == before->referenceDType) {
        continue;
      }
      before = &row;
      const std::optional<DType> format = report::ulpFormatOf(row);
      if (only && format && *format != *only) {
        return ReportDocumentWords::tr("of several formats");
      }
      only = only ? only : format;
    }
  }
  return only ? ReportDocumentWords::tr("of %1").arg(utf8Text(toString(*only))) : QString();
}

}  // namespace

std::shared_ptr<const OpenReports> joinSources(std::vector<analysis::ReportSource> sources) {
  return *joinSources(std::move(sources), std::stop_token());
}

Result<std::shared_ptr<const OpenReports>> joinSources(std::vector<analysis::ReportSource> sources,
                                                       const std::stop_token& stop) {
  for (analysis::ReportSource& source : sources) {
    const auto& origin = source.loaded.report->dumps;
    if (!origin) {
      source.dumps = nullptr;
    } else if (!source.dumps || source.dumps->origin() != *origin) {
      source.dumps = std::make_shared<analysis::ComparedDumps>(*origin);
    }
  }
  auto joined = ULP_TRY(analysis::joinReports(sources, stop));
  return std::make_shared<const OpenReports>(OpenReports{std::move(sources), std::move(joined)});
}

std::shared_ptr<const ReportDocument> ReportDocument::build(report::LoadedReport loaded) {
  std::vector<analysis::ReportSource> sources;
  sources.push_back({std::move(loaded), {}});
  DocumentBasis basis{.open = joinSources(std::move(sources))};
  report::ReportPtr shown = basis.open->joined.report;
  return build(std::move(basis), std::move(shown));
}

std::shared_ptr<const ReportDocument> ReportDocument::build(DocumentBasis basis,
                                                            report::ReportPtr shown) {
  return std::shared_ptr<const ReportDocument>(
      new ReportDocument(std::move(basis), std::move(shown)));
}

ReportDocument::ReportDocument(DocumentBasis basis, report::ReportPtr shown)
    : m_basis(std::move(basis)), m_siteByName(kPassCount) {
  const report::LoadedReport& first = m_basis.open->sources.front().loaded;
  m_loaded = {std::move(shown), first.file, first.folder};
  collectRuns();
  collectStyles();
  collectOtherInputs();
  collectNoiseFloor();
  collectMetrics();
  collectSites();
  collectFormats();
}

void ReportDocument::collectStyles() {
  const auto& [sources, all] = *m_basis.open;
  const report::Report& joined = *all.report;
  std::unordered_map<std::string_view, int> styles;
  int next = 0;
  for (std::size_t i = 0; i < joined.runs.size(); ++i) {
    const report::Run& run = joined.runs[i];
    const analysis::RunOrigin& origin = all.origins[i];
    const bool isReference = run.name == joined.reference ||
                             origin.run == sources[origin.source].loaded.report->reference;
    const bool isVariant = run.role == report::RunRole::Variant && !isReference;
    styles.emplace(run.name, isVariant ? next++ : kReferenceStyle);
  }
  for (const report::Run* variant : m_variants) {
    m_styles.push_back(styles.at(variant->name));
  }
}

void ReportDocument::collectOtherInputs() {
  const auto& [sources, all] = *m_basis.open;
  std::map<std::pair<std::size_t, std::size_t>, analysis::OtherInputs> known;
  for (const report::Run* variant : m_variants) {
    const int run = joinedPlace(variant->name);
    const int baseline =
        joinedPlace(baselineOf(QString::fromStdString(variant->name)).toStdString());
    const std::size_t own = all.origins[static_cast<std::size_t>(run)].source;
    const std::size_t other =
        baseline < 0 ? own : all.origins[static_cast<std::size_t>(baseline)].source;
    const auto [inputs, isNew] = known.try_emplace({other, own});
    if (isNew && other != own) {
      inputs->second =
          analysis::otherInputs(*sources[other].loaded.report, *sources[own].loaded.report);
    }
    m_otherInputs.push_back(inputs->second);
  }
}

int ReportDocument::joinedPlace(std::string_view run) const {
  const std::vector<report::Run>& runs = m_basis.open->joined.report->runs;
  const auto found = std::ranges::find(runs, run, &report::Run::name);
  return found == runs.end() ? -1 : static_cast<int>(found - runs.begin());
}

QString ReportDocument::baselineOf(const QString& run) const {
  const report::Run* found = report().findRun(run.toStdString());
  return found == nullptr || found->reference.empty() ? baselineName()
                                                      : QString::fromStdString(found->reference);
}

QStringList ReportDocument::baselineNames() const {
  QStringList names;
  for (const report::Run* variant : m_variants) {
    names << baselineOf(QString::fromStdString(variant->name));
  }
  names.removeDuplicates();
  return names.isEmpty() ? QStringList{baselineName()} : names;
}

std::optional<CaptureOrigin> ReportDocument::captureOrigin(const QString& run,
                                                           const std::string& site,
                                                           const QString& beside) const {
  const analysis::JoinedReports& joined = m_basis.open->joined;
  const int place = joinedPlace(run.toStdString());
  if (place < 0) {
    return std::nullopt;
  }
  const int other = beside.isEmpty() ? -1 : joinedPlace(beside.toStdString());
  const std::vector<report::Run>& runs = joined.report->runs;
  const bool isItsReference =
      other >= 0 && joined.report->referenceOf(runs[static_cast<std::size_t>(other)]) ==
                        &runs[static_cast<std::size_t>(place)];
  const auto index = static_cast<std::size_t>(isItsReference ? other : place);
  const analysis::RunOrigin& origin = joined.origins[index];
  const analysis::ReportSource& source = m_basis.open->sources[origin.source];
  return CaptureOrigin{.folder = source.loaded.folder,
                       .dumps = source.dumps,
                       .run = isItsReference ? source.loaded.report->reference : origin.run,
                       .site = joined.ownName(index, site)};
}

void ReportDocument::collectRuns() {
  for (const report::Run& run : report().runs) {
    if (run.name == report().reference) {
      m_reference = &run;
    } else if (run.role == report::RunRole::Variant) {
      m_variantByName.emplace(run.name, static_cast<int>(m_variants.size()));
      m_variants.push_back(&run);
      // Every row of a run has a spread or none has.
      m_hasSpread =
          m_hasSpread || (!run.comparisons.empty() && !run.comparisons.front().spread.empty());
    }
  }
}

void ReportDocument::collectNoiseFloor() {
  const analysis::JoinedReports& joined = m_basis.open->joined;
  const bool isOfReference = m_basis.baseline.isEmpty();
  std::vector<const report::Run*> measured;
  std::unordered_map<std::string_view, bool> sharesReference;
  for (std::size_t i = 0; i < joined.origins.size(); ++i) {
    const report::Run& run = joined.report->runs[i];
    const bool shares = joined.sharesReference[joined.origins[i].source];
    sharesReference.emplace(run.name, shares);
    if (run.role == report::RunRole::Floor && shares && !run.comparisons.empty()) {
      m_noiseFloorNames << shortFloorName(run.name);
      if (isOfReference) {
        measured.push_back(&run);
      }
    }
  }
  m_noiseFloorNames.removeDuplicates();
  m_noiseFloor = report::NoiseFloor(joined.report->metrics, measured);
  for (const report::Run* variant : m_variants) {
    m_hasNoiseFloor.push_back(m_noiseFloor.isKnown() && sharesReference[variant->name]);
  }
}

bool ReportDocument::hasNoiseFloor(int variant) const {
  return variant >= 0 && m_hasNoiseFloor[static_cast<std::size_t>(variant)];
}

void ReportDocument::collectMetrics() {
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const QString ulpFormats = ulpFormatsOf(m_variants);
  for (const report::MetricColumn& column : report().metrics) {
    MetricInfo info{.id = QString::fromStdString(column.id)};
    if (const auto known = registry.indexOf(column.id)) {
      const numerics::Metric& metric = registry.all()[*known];
      info.label = QString::fromStdString(metric.label);
      info.formula = QString::fromStdString(metric.formula);
      info.unit = metric.unit;
      info.scale = metric.scale;
      info.better = metric.better;
      info.isDrawnFromOne = metric.isDrawnFromOne;
    } else {
      info.label = info.id;
    }
    m_countsUlp.push_back(report::countsUlp(column.id));
    if (m_countsUlp.back() && !ulpFormats.isEmpty()) {
      info.label = QStringLiteral("%1 %2").arg(info.label, ulpFormats);
    }
    relate(info, m_basis);
    m_metrics.push_back(std::move(info));
  }
}

void ReportDocument::collectSites() {
  SiteMerger merger;
  std::vector<std::vector<const SiteMerger::Entry*>> entries;
  for (const report::Run* run : m_variants) {
    entries.push_back(merger.add(run->comparisons));
  }
  m_sites = merger.finish();
  for (std::size_t i = 0; i < m_sites.size(); ++i) {
    m_siteByName[passIndex(m_sites[i].pass)].emplace(m_sites[i].name, static_cast<int>(i));
  }
  for (const auto& rows : entries) {
    std::vector<RowPlace> places;
    places.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      places.push_back({static_cast<std::int32_t>(rows[i]->place), static_cast<std::int32_t>(i)});
    }
    std::ranges::stable_sort(places, {}, &RowPlace::site);
    // Of rows with one name the last counts.
    const auto [first, last] =
        std::ranges::unique(places.rbegin(), places.rend(), {}, &RowPlace::site);
    places.erase(places.begin(), first.base());
    m_rowsOf.push_back(std::move(places));
  }
}

void ReportDocument::collectFormats() {
  std::vector<ColumnSpread> spreads(m_metrics.size());
  std::vector<ColumnSpread> intervals(m_metrics.size());
  for (const report::Run* run : m_variants) {
    for (const report::Comparison& comparison : run->comparisons) {
      const std::size_t count = std::min(spreads.size(), comparison.metrics.size());
      for (std::size_t metric = 0; metric < count; ++metric) {
        if (!isHidden(comparison, metric)) {
          spreads[metric].add(comparison.metrics[metric]);
          if (m_hasSpread && metric < comparison.spread.size()) {
            intervals[metric].add(report::halfInterval(comparison.spread[metric], run->samples));
          }
        }
      }
    }
  }
  for (std::size_t metric = 0; metric < m_metrics.size(); ++metric) {
    m_formats.emplace_back(spreads[metric], m_metrics[metric]);
    m_intervalFormats.push_back(ColumnFormat::ofWidths(intervals[metric], m_metrics[metric]));
  }
}

const ColumnFormat& ReportDocument::intervalFormat(int metric) const {
  return m_intervalFormats[static_cast<std::size_t>(metric)];
}

const ColumnFormat& ReportDocument::columnFormat(int metric) const {
  return m_formats[static_cast<std::size_t>(metric)];
}

const report::Run& ReportDocument::variant(int index) const {
  return *m_variants[static_cast<std::size_t>(index)];
}

QString ReportDocument::variantName(int index) const {
  return QString::fromStdString(variant(index).name);
}

int ReportDocument::findVariant(const QString& name) const {
  const auto found = m_variantByName.find(name.toStdString());
  return found == m_variantByName.end() ? -1 : found->second;
}

int ReportDocument::findSite(std::string_view name, Pass pass) const {
  const auto& places = m_siteByName[passIndex(pass)];
  const auto found = places.find(name);
  return found == places.end() ? -1 : found->second;
}

int ReportDocument::findMetric(const QString& id) const {
  const auto found = std::ranges::find(m_metrics, id, &MetricInfo::id);
  return found == m_metrics.end() ? -1 : static_cast<int>(found - m_metrics.begin());
}

QString ReportDocument::defaultMetric() const {
  const int preferred = findMetric(QStringLiteral("rms_rel"));
  return m_metrics.empty() ? QString()
                           : m_metrics[static_cast<std::size_t>(std::max(0, preferred))].id;
}

const report::Comparison* ReportDocument::comparison(int variant, int site) const {
  if (variant < 0 || variant >= variantCount() || site < 0 ||
      site >= static_cast<int>(m_sites.size())) {
    return nullptr;
  }
  const auto v = static_cast<std::size_t>(variant);
  const std::vector<RowPlace>& places = m_rowsOf[v];
  // Most variants have all tensors.
  const auto same = std::min(static_cast<std::size_t>(site), places.size());
  auto found = places.begin() + static_cast<std::ptrdiff_t>(same);
  if (found == places.end() || found->site != site) {
    found = std::ranges::lower_bound(places, site, {}, &RowPlace::site);
  }
  return found == places.end() || found->site != site
             ? nullptr
             : &m_variants[v]->comparisons[static_cast<std::size_t>(found->row)];
}

report::Spread ReportDocument::spread(int variant, int site, int metric) const {
  const report::Comparison* found = comparison(variant, site);
  const auto at = static_cast<std::size_t>(metric);
  const bool isKnown = found != nullptr && metric >= 0 && at < found->spread.size();
  return isKnown && !isHidden(*found, at) ? found->spread[at] : report::Spread{};
}

double ReportDocument::value(int variant, int site, int metric) const {
  const report::Comparison* found = comparison(variant, site);
  const auto at = static_cast<std::size_t>(metric);
  const bool isKnown = found != nullptr && metric >= 0 && at < found->metrics.size();
  return isKnown && !isHidden(*found, at) ? found->metrics[at]
                                          : std::numeric_limits<double>::quiet_NaN();
}

bool ReportDocument::isNonFinite(int variant, int site, int metric) const {
  const report::Comparison* found = comparison(variant, site);
  const auto at = static_cast<std::size_t>(metric);
  return found != nullptr && metric >= 0 && at < found->metrics.size() &&
         std::isnan(found->metrics[at]) &&
         (found->isAllNonFinite() || found->variantNonFinite.total() > 0);
}

bool ReportDocument::isHidden(const report::Comparison& row, std::size_t metric) const {
  return m_basis.relation != Relation::Ratio && metric < m_countsUlp.size() &&
         m_countsUlp[metric] && metric < row.metrics.size() &&
         !report::isSensibleUlp(row, row.metrics[metric]);
}

}  // namespace ulp::views

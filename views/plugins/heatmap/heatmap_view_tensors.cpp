#include <algorithm>
#include <utility>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>

#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/heatmap/heatmap_view.h"
#include "views/plugins/heatmap/part_errors.h"

/// Tokens and heads: the modes that read kept tensors.
namespace ulp::views {
namespace {

constexpr qint64 kPartsPeriod = 400;  ///< milliseconds

}  // namespace

void HeatmapView::showNoParts() {
  showEmpty(m_mode == HeatmapMode::Heads ? tr("Parameters have no heads")
                                         : tr("Parameters have no tokens"),
            tr("Their gradients are summed over all tokens. Show the forward and the backward pass "
               "to see this heatmap."));
  offerAllPasses();
}

void HeatmapView::showNoHeads() {
  showEmpty(tr("Heads cannot be told apart in this report"),
            tr("It needs the rows of q_proj, k_proj, v_proj or o_proj and that of the rotary "
               "embedding, which tells how many channels a head has. Set capture.level to module "
               "in the study and run it again."));
}

void HeatmapView::rebuildFromTensors() {
  const numerics::MetricRegistry registry = numerics::builtinMetrics();
  const auto metric = registry.indexOf(m_selection.metric.toStdString());
  const bool heads = m_mode == HeatmapMode::Heads;
  m_partsAreShown = false;
  // Some metrics of comparisons of dumps are made of what was recorded beside the elements.
  if (!metric || registry.all()[*metric].value == nullptr) {
    showEmpty(tr("This metric is unknown"),
              tr("This version of Ulpscope cannot compute %1 from kept tensors. Choose another "
                 "metric.")
                  .arg(m_selection.metric));
    return;
  }
  if (m_selection.shown == PassFilter::ParameterGradient ||
      m_selection.shown == PassFilter::Optimizer) {
    showNoParts();
    return;
  }
  const std::optional<std::int64_t> size = headSize(*m_document);
  const std::vector<HeadTensor> tensors = headTensors(*m_document, m_selection.shown);
  const auto chosen =
      std::find_if(tensors.begin(), tensors.end(), [this](const HeadTensor& tensor) {
        return tensor.id == m_kinds->currentData().toString();
      });
  if (heads && (!size || chosen == tensors.end())) {
    showNoHeads();
    return;
  }
  const QString kind = heads ? chosen->module : m_kinds->currentData().toString();
  const PassFilter headPass =
      heads && chosen->pass == Pass::Backward ? PassFilter::Backward : PassFilter::Forward;
  m_partAxis = charts::makeDepthAxis(*m_document, kind, heads ? headPass : m_selection.shown);
  PartRequest request{.document = m_document,
                      .reference = QString::fromStdString(m_document->report().reference),
                      .variant = m_document->variantName(currentVariant()),
                      .mode = m_mode,
                      .headSize = size.value_or(0),
                      .metric = registry.all()[*metric],
                      .sites = {}};
  for (const charts::DepthSlot& slot : m_partAxis.positions) {
    request.sites.push_back(m_document->sites()[static_cast<std::size_t>(slot.site)]);
  }
  m_loader->start(std::move(request));
  showPartsState();
}

void HeatmapView::onPartsProgressed() {
  if (!m_document || !hasParts()) {
    return;
  }
  const std::vector<PartColumn>& columns = m_loader->columns();
  const bool any = std::any_of(
      columns.begin(), columns.end(), [](const PartColumn& column) { return column.has_value(); });
  // A large picture is not painted again for every tensor that arrives.
  const bool isTooSoon =
      m_loader->isBusy() && m_partsAreShown && m_partsTime.elapsed() < kPartsPeriod;
  if (any && !isTooSoon) {
    const int metric = m_document->findMetric(m_selection.metric);
    take(partsByLayer(
        m_mode,
        metric < 0 ? MetricInfo{} : m_document->metrics()[static_cast<std::size_t>(metric)],
        currentVariant(),
        m_partAxis,
        columns,
        m_loader->sequenceLength()));
    m_partsAreShown = true;
    m_partsTime.start();
  }
  showPartsState();
}

QString HeatmapView::partsText() const {
  const auto total = static_cast<int>(m_loader->total());
  const auto done = static_cast<int>(m_loader->columns().size());
  if (m_loader->isBusy()) {
    return tr("Comparing kept tensors: %1 of %2").arg(done).arg(total);
  }
  if (done < total) {
    return tr("Stopped after %1 of %2 tensors.").arg(done).arg(total);
  }
  const auto compared = static_cast<int>(std::count_if(
      m_loader->columns().begin(), m_loader->columns().end(), [](const PartColumn& column) {
        return column.has_value();
      }));
  QString text = tr("%1 of %2 tensors were kept whole and compared.").arg(compared).arg(total);
  if (m_loader->sampledColumns() > 0) {
    text += QLatin1Char(' ') + tr("Of %1 only samples were kept.").arg(m_loader->sampledColumns());
  }
  if (!m_loader->unreadable().empty()) {
    text += QLatin1Char(' ') +
            tr("%1 could not be read, the first: %2")
                .arg(m_loader->unreadable().size())
                .arg(QString::fromStdString(m_loader->unreadable().front().message()));
  }
  return text;
}

void HeatmapView::showPartsState() {
  const QString text = partsText();
  m_stop->setVisible(m_loader->isBusy());
  m_progress->setText(text);
  if (m_partsAreShown) {
    if (m_loader->error()) {
      context().workspace.messages.raise(messageOf(*m_loader->error(), QStringLiteral("heatmap")));
    }
    return;
  }
  if (m_loader->isBusy()) {
    // What was shown before stays for the moment until the first tensors have been compared.
    if (!m_heatmap || m_heatmap->mode != m_mode) {
      showEmpty(tr("Comparing kept tensors"), text);
    }
  } else if (m_loader->error() && m_loader->error()->code() != ErrorCode::NotFound) {
    showEmpty(tr("The kept tensors cannot be read"),
              QString::fromStdString(m_loader->error()->message()));
  } else if (m_loader->sampledColumns() > 0) {
    showEmpty(tr("Only samples of the tensors were kept"),
              tr("Single tokens and heads need whole tensors. Set capture.tensors to full in the "
                 "study and run it again."));
    offerSetting();
  } else if (m_document->dumpPlace(m_document->variantName(currentVariant()), {})) {
    const Error* error = m_loader->error()                 ? &*m_loader->error()
                         : !m_loader->unreadable().empty() ? &m_loader->unreadable().front()
                                                           : nullptr;
    showEmpty(tr("The elements cannot be compared"),
              error != nullptr
                  ? QString::fromStdString(error->message())
                  : tr("Single tokens and heads need the elements, which the two dumps do not both "
                       "hold: record tensors rather than statistics."));
  } else {
    showEmpty(tr("The tensors of this report were not kept"),
              tr("Single tokens and heads need the tensors themselves. Set capture.tensors to full "
                 "in the study and run it again."));
    offerSetting();
  }
}

void HeatmapView::offerSetting() {
  m_empty->setButton(tr("Copy the setting"), [] {
    QGuiApplication::clipboard()->setText(QStringLiteral("capture:\n  tensors: full\n"));
  });
}

}  // namespace ulp::views

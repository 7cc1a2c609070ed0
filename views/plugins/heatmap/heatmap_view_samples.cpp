#include <utility>

#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QComboBox>

#include "views/framework/threads/background.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/heatmap/heatmap_view.h"

/// Samples: the mode that reads what each of them gave.
namespace ulp::views {

void HeatmapView::rebuildFromSamples() {
  if (!m_document->hasSpread()) {
    showEmpty(tr("These values are of one sample"),
              tr("A study takes several when input.sequences is more than the sequences of one "
                 "step. Set it in the study and run it again; against another baseline only the "
                 "tensors of the first sample are known."));
    m_empty->setButton(tr("Copy the setting"), [] {
      QGuiApplication::clipboard()->setText(QStringLiteral("input:\n  sequences: 8\n"));
    });
    return;
  }
  const int metric = m_document->findMetric(m_selection.metric);
  if (metric < 0) {
    return;
  }
  context().background.run<Result<Heatmap>>(
      workTag("heatmap"),
      this,
      [document = m_document,
       kind = m_kinds->currentData().toString(),
       shown = m_selection.shown,
       variant = currentVariant(),
       metric](const std::stop_token& /*stop*/) -> Result<Heatmap> {
        auto values = ULP_TRY(readSampleValues(*document, variant, metric));
        return samplesByLayer(*document, kind, shown, values);
      },
      [this](Result<Heatmap> made) {
        if (!made) {
          showNoSamples(made.error());
        } else if (made->rows.empty()) {
          showEmpty(tr("No sample is finished yet"),
                    tr("A row appears here for each sample of the selected variant."));
        } else {
          take(*std::move(made));
        }
      });
}

void HeatmapView::showNoSamples(const Error& error) {
  showEmpty(tr("What the samples gave cannot be read"), QString::fromStdString(error.message()));
}

}  // namespace ulp::views

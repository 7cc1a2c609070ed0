#include "views/plugins/tensor/inspector/reading_bar.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QTimer>
#include <QtWidgets/QLabel>
#include <QtWidgets/QProgressBar>
#include <QtWidgets/QPushButton>

#include "core/base/result.h"
#include "core/base/text/format_number.h"
#include "views/framework/widgets/layouts.h"
#include "views/plugins/tensor/pictures/tensor_text.h"
#include "views/plugins/tensor/pictures/tile_store.h"

namespace ulp::views {
namespace {

/// Beyond so many elements statistics are read by a thread of their own.
constexpr std::size_t kManyElements = std::size_t{16} << 20;
constexpr int kPollInterval = 100;

struct ReadingBarWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::TensorView)
};

}  // namespace

ReadingBar::ReadingBar(Background& background, TileStore& tiles, QWidget* parent)
    : QWidget(parent),
      m_shared(background),
      m_tiles(tiles),
      m_tag(workTagOf(this, "tensor-statistics")),
      m_facts(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_stop(new QPushButton(ReadingBarWords::tr("Stop"), this)),
      m_poll(new QTimer(this)) {
  rowOf(this, {{m_facts, 1}, m_bar, m_stop}, {.margins = QMargins(8, 2, 8, 4), .spacing = 8});
  m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_facts->setTextFormat(Qt::PlainText);
  m_facts->setAccessibleName(ReadingBarWords::tr("Statistics of the tensor"));
  m_facts->setMinimumWidth(1);
  m_bar->setRange(0, 1000);
  m_bar->setTextVisible(false);
  m_bar->setMaximumWidth(m_bar->fontMetrics().averageCharWidth() * 20);
  m_bar->setAccessibleName(ReadingBarWords::tr("Progress of reading"));
  // Their coming and going must not move the pictures.
  for (QWidget* widget : {static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_stop)}) {
    QSizePolicy policy = widget->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget->setSizePolicy(policy);
  }
  connect(m_stop, &QPushButton::clicked, this, &ReadingBar::onButton);
  connect(&m_tiles, &TileStore::busyChanged, this, &ReadingBar::updateStatus);
  m_poll->setInterval(kPollInterval);
  connect(m_poll, &QTimer::timeout, this, &ReadingBar::updateStatus);
}

ReadingBar::~ReadingBar() {
  m_shared.cancel(m_tag);
}

void ReadingBar::read(const analysis::TensorPairPtr& pair) {
  m_pair = pair;
  m_wasStopped = false;
  if (m_tiles.waitsForWhole()) {
    updateStatus();
  } else {
    begin();
  }
}

void ReadingBar::onButton() {
  if (isReading() || !m_tiles.waitsForWhole()) {
    stop();
    return;
  }
  m_tiles.readWhole();
  begin();
}

void ReadingBar::begin() {
  using Computed = Result<analysis::PairStatisticsPtr>;
  const analysis::TensorPairPtr pair = m_pair;
  auto progress = std::make_shared<analysis::Progress>();
  m_progress = progress;
  Background& background = pair->count() > kManyElements ? m_own : m_shared;
  background.run<Computed>(
      m_tag,
      this,
      [pair, progress](const std::stop_token& stop) {
        return analysis::computePairStatistics(*pair, stop, progress.get());
      },
      [this](const Computed& computed) {
        m_progress.reset();
        m_wasStopped = !computed;
        if (computed) {
          m_statistics = *computed;
          Q_EMIT known();
        } else {
          Q_EMIT failed(computed.error());
        }
        updateStatus();
      });
  updateStatus();
}

void ReadingBar::stop() {
  m_wasStopped = m_progress != nullptr;
  m_own.cancel(m_tag);
  m_shared.cancel(m_tag);
  m_progress.reset();
  m_tiles.cancel();
  updateStatus();
}

void ReadingBar::clear() {
  stop();
  m_pair = nullptr;
  m_statistics = nullptr;
}

bool ReadingBar::isReading() const {
  return m_progress != nullptr || m_tiles.isBusy();
}

void ReadingBar::updateStatus() {
  const bool busy = isReading();
  const bool waits = m_pair != nullptr && m_tiles.waitsForWhole();
  const double tiles = m_tiles.progress();
  const double all = m_progress ? (m_progress->fraction() + tiles) / 2 : tiles;
  m_bar->setValue(static_cast<int>(all * 1000));
  m_bar->setVisible(busy);
  m_stop->setVisible(busy || waits);
  if (waits) {
    const std::size_t bytes = m_pair->reference.view.sizeBytes() + m_pair->variant.view.sizeBytes();
    m_stop->setText(
        ReadingBarWords::tr("Fetch all (%1)").arg(QString::fromStdString(formatBytes(bytes))));
    m_stop->setToolTip(ReadingBarWords::tr(
        "Fetches every element from the other machine, for statistics and exact pictures"));
  } else {
    m_stop->setText(ReadingBarWords::tr("Stop"));
    m_stop->setToolTip(ReadingBarWords::tr("Stops reading; what is shown stays"));
  }
  const ReadingState state = waits          ? ReadingState::Elsewhere
                             : m_wasStopped ? ReadingState::Stopped
                                            : ReadingState::Reading;
  m_facts->setText(m_pair ? pairText(*m_pair, m_statistics.get(), state) : QString());
  m_facts->setToolTip(m_facts->text());
  if (!busy) {
    m_poll->stop();
  } else if (!m_poll->isActive()) {
    m_poll->start();
  }
}

}  // namespace ulp::views

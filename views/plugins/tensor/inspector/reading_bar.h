#pragma once

#include <memory>

#include <QtWidgets/QWidget>

#include "core/analysis/tensors/pair_statistics.h"
#include "core/base/error.h"
#include "views/framework/threads/background.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTimer;

namespace ulp::views {

class TileStore;

/// Reads the statistics of a pair of tensors in the background, large ones on a thread of their
/// own. Shows in one line what is known of the pair and how far its statistics and its pictures
/// have been read; its button stops both.
class ReadingBar : public QWidget {
  Q_OBJECT

 public:
  /// `background` outlives the bar. `tiles` may die before it, with the window's other parts: the
  /// destructor does not use them.
  ReadingBar(Background& background, TileStore& tiles, QWidget* parent);
  ~ReadingBar() override;
  ReadingBar(const ReadingBar&) = delete;
  ReadingBar& operator=(const ReadingBar&) = delete;

  /// Begins with another pair; known() or failed() follows, once the button was pressed where the
  /// pictures wait for that, too (TileStore::waitsForWhole()).
  void read(const analysis::TensorPairPtr& pair);
  /// Stops reading statistics and pictures; what is known stays.
  void stop();
  /// Stops reading statistics and pictures, and forgets the pair and what is known of it.
  void clear();

  /// Null: not known yet, or stopped.
  [[nodiscard]] const analysis::PairStatisticsPtr& statistics() const { return m_statistics; }
  /// Statistics or pictures are being read.
  [[nodiscard]] bool isReading() const;

 Q_SIGNALS:
  void known();
  void failed(const ulp::Error& error);

 private:
  void begin();
  void onButton();
  void updateStatus();

  Background& m_shared;
  TileStore& m_tiles;
  QString m_tag;  ///< of this bar alone
  analysis::TensorPairPtr m_pair;
  analysis::PairStatisticsPtr m_statistics;
  std::shared_ptr<analysis::Progress> m_progress;  ///< null: not being read
  bool m_wasStopped = false;
  QLabel* m_facts;
  QProgressBar* m_bar;
  QPushButton* m_stop;
  QTimer* m_poll;
  Background m_own;  ///< for large tensors; last: its work ends before the rest dies
};

}  // namespace ulp::views

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QTimer>
#include <QtWidgets/QGroupBox>

#include "core/base/result.h"
#include "core/base/unit_axes.h"
#include "core/comparing/align/dump_sides.h"
#include "core/report/model/dump_origin.h"

class QComboBox;
class QLabel;
class QFormLayout;

namespace ulp::views {
class Background;
}

namespace ulp::app {

/// One dump, of a comparison or alone: its path, what was recognised there, and which of its units
/// are meant. Paths are looked into in the background.
class DumpSidePane : public QGroupBox {
  Q_OBJECT

 public:
  enum class Side : std::uint8_t { Baseline, Candidate, Source };
  /// After the last key, before the disk is asked.
  static constexpr int kDelayMs = 250;

  DumpSidePane(Side side, views::Background& background, QWidget* parent = nullptr);

  /// Paths to offer, newest first.
  void setRecent(const QStringList& paths);
  void setSide(const report::DumpSide& side);
  [[nodiscard]] report::DumpSide side() const;
  /// The path was recognised.
  [[nodiscard]] bool isReady() const { return m_isReady; }
  [[nodiscard]] QComboBox& path() { return *m_path; }
  [[nodiscard]] QString stateText() const;

 Q_SIGNALS:
  void changed();

 private:
  enum Axis : std::uint8_t { Run, Step, Rank, Token, AxisCount };

  void makeUnits(QFormLayout& form);
  void chooseFile(bool isFolder);
  void pathEdited();
  void recognise();
  void show(const Result<analysis::RecognisedDump>& found);
  void fillUnits(const std::vector<UnitAxes>& units);
  void fillRuns(const std::vector<UnitAxes>& units);
  /// Of the axes along which the dump has units.
  void showAxes();
  void setState(const QString& text, bool isProblem);

  Side m_side;
  views::Background& m_background;
  QString m_tag;  ///< of looking into a path
  QComboBox* m_path;
  QLabel* m_state;
  std::array<QComboBox*, AxisCount> m_axes{};
  std::array<QLabel*, AxisCount> m_axisNames{};
  QTimer m_delay;
  UnitAxes m_wanted;  ///< to choose once the units are known
  bool m_isReady = false;
};

/// Lists the tools whose dumps are recognised, for texts: "msprobe, msit, Fast-LLM, SGLang".
[[nodiscard]] QString recordingTools();

}  // namespace ulp::app

#pragma once

#include <QtCore/QObject>

#include "views/framework/settings/settings_store.h"

class QKeyEvent;
class QWidget;

namespace ulp::views {

inline const Setting<bool> kSingleLetterKeys{QStringLiteral("keyboard/single-letter-keys"), true};

/// Keeps shortcuts of a single letter, digit or sign to where they belong (WCAG 2.2, 2.1.4): they
/// act while a chart or a table of a view of reports has the focus, never in the study, in a text
/// field, a list of choices or on a button, and can be switched off altogether. Watches the whole
/// application.
class SingleKeys : public QObject {
  Q_OBJECT

 public:
  explicit SingleKeys(QObject* parent = nullptr);

  void setEnabled(bool enabled) { m_enabled = enabled; }
  [[nodiscard]] bool isEnabled() const { return m_enabled; }

  /// One printable sign without Ctrl, Alt or Meta. Space is none: it presses buttons.
  [[nodiscard]] static bool isSingleKey(const QKeyEvent& event);
  /// Letters there are input or choose an entry.
  [[nodiscard]] static bool takesLetters(const QWidget& widget);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool m_enabled = true;
};

}  // namespace ulp::views

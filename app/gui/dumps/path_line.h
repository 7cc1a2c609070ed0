#pragma once

#include <filesystem>
#include <initializer_list>

#include <QtCore/QString>
#include <QtWidgets/QWidget>

#include "views/framework/widgets/file_dialog.h"

class QLineEdit;

namespace ulp::app {

/// A path to type, or to choose with one of the buttons beside it.
class PathLine : public QWidget {
  Q_OBJECT

 public:
  /// A button, and what it asks for.
  struct Choice {
    QString text;
    views::FileQuestion question;
  };

  /// `id`: object name of the line; `name`: what a screen reader calls it.
  PathLine(const QString& id,
           const QString& name,
           std::initializer_list<Choice> choices,
           QWidget* parent = nullptr);

  [[nodiscard]] QLineEdit& line() const { return *m_line; }
  /// As it was typed, without spaces around it.
  [[nodiscard]] QString text() const;
  [[nodiscard]] std::filesystem::path path() const { return text().toStdString(); }

 Q_SIGNALS:
  void changed();

 private:
  QLineEdit* m_line;
};

}  // namespace ulp::app

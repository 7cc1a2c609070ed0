#include "app/gui/dumps/path_line.h"

#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

#include "views/framework/widgets/layouts.h"

namespace ulp::app {

PathLine::PathLine(const QString& id,
                   const QString& name,
                   std::initializer_list<Choice> choices,
                   QWidget* parent)
    : QWidget(parent), m_line(new QLineEdit(this)) {
  m_line->setObjectName(id);
  m_line->setAccessibleName(name);
  m_line->setClearButtonEnabled(true);
  setFocusProxy(m_line);
  QHBoxLayout* row = views::rowOf(this, {{m_line, 1}}, {.margins = QMargins()});
  for (const Choice& choice : choices) {
    auto* button = new QPushButton(choice.text, this);
    button->setToolTip(choice.question.title);
    button->setAutoDefault(false);
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, question = choice.question] {
      views::askForFile(this, question, [this](const QString& path) { m_line->setText(path); });
    });
  }
  connect(m_line, &QLineEdit::textChanged, this, &PathLine::changed);
}

QString PathLine::text() const {
  return m_line->text().trimmed();
}

}  // namespace ulp::app

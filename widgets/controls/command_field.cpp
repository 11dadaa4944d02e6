#include "widgets/controls/command_field.h"

#include "widgets/controls/copy_text.h"
#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace helio {

CommandField::CommandField(const QString& command, const QString& name, QWidget* parent)
    : QWidget(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* field = new QLineEdit(command);
    field->setReadOnly(true);
    field->setFont(fonts().fixed(11));
    field->setCursorPosition(0);
    field->setAccessibleName(name);
    auto* copy = new QToolButton;
    copy->setIcon(themedIcon("copy"));
    copy->setToolTip(tr("Copy the command"));
    copy->setAccessibleName(tr("Copy the command"));
    connect(copy, &QToolButton::clicked, this, [command] { copyText(command); });
    layout->addWidget(field, 1);
    layout->addWidget(copy);
    setFocusProxy(field);
}

} // namespace helio

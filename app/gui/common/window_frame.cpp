#include "app/gui/common/window_frame.h"

#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QIcon>
#include <QScreen>
#include <QSplitter>
#include <QVBoxLayout>

namespace helio {

void frameWindow(QWidget& window, QSize size)
{
    const QSize room = window.screen()->availableSize();
    window.setWindowIcon(QIcon(iconPixmap("logo", theme().color("accent.fill"), 64)));
    window.setMinimumSize(QSize(1024, 600).boundedTo(room));
    window.resize(size.boundedTo(room));
}

QVBoxLayout* makeVerticalLayout(QWidget* widget)
{
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    return layout;
}

QSplitter* makeSplitter(Qt::Orientation orientation, std::initializer_list<QWidget*> parts)
{
    auto* splitter = new QSplitter(orientation);
    splitter->setHandleWidth(4);
    splitter->setChildrenCollapsible(false);
    addParts(*splitter, parts);
    return splitter;
}

void addParts(QSplitter& splitter, std::initializer_list<QWidget*> parts)
{
    for (QWidget* part : parts) {
        splitter.addWidget(part);
        part->raise();
    }
}

} // namespace helio

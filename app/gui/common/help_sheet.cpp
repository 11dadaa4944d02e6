#include "app/gui/common/help_sheet.h"

#include "widgets/controls/field_grid.h"
#include "widgets/theme/themes.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace helio {

namespace {

/// Returns the name of an action, with the name of its submenu if it is in one, for example "Theme: Dark".
QString nameOf(const ActionSpec& action)
{
    const QString name = HelpSheet::tr(action.text).remove(QStringLiteral("\u2026"));
    const QString menu = QString(action.menu).section('/', 1);
    return menu.isEmpty() ? name : HelpSheet::tr(qPrintable(menu)) + ": " + name;
}

} // namespace

HelpSheet::HelpSheet(std::span<const ActionSpec> actions, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keyboard shortcuts"));
    setAccessibleName(windowTitle());
    resize(980, 720);
    auto* page = new QWidget;
    auto* columns = new QHBoxLayout(page);
    columns->setContentsMargins(20, 14, 20, 14);
    columns->setSpacing(28);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    columns->addLayout(left, 1);
    columns->addLayout(right, 1);

    QList<std::pair<QString, QString>> mouse;
    for (const GestureSpec& gesture : gestureTable())
        mouse << std::pair(QString(gesture.input), tr(gesture.does));
    addGroup(left, tr("Mouse"), mouse);
    QStringList menus;
    for (const ActionSpec& action : actions)
        if (const QString menu = QString(action.menu).section('/', 0, 0); !menus.contains(menu))
            menus << menu;
    for (const QString& menu : menus) {
        QList<std::pair<QString, QString>> entries;
        for (const ActionSpec& action : actions)
            if (QString(action.menu).section('/', 0, 0) == menu)
                entries << std::pair(shortcutText(action), nameOf(action));
        addGroup(menu == "Go" || menu == "File" ? left : right, tr(qPrintable(menu)), entries);
    }
    left->addStretch(1);
    right->addStretch(1);

    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    scroll->setFocusPolicy(Qt::StrongFocus);
    scroll->setAccessibleName(tr("Keyboard and mouse"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
}

void HelpSheet::showOver(QWidget& window, std::span<const ActionSpec> actions)
{
    auto* sheet = window.findChild<HelpSheet*>(QString(), Qt::FindDirectChildrenOnly);
    if (!sheet)
        sheet = new HelpSheet(actions, &window);
    sheet->show();
    sheet->raise();
    sheet->activateWindow();
}

void HelpSheet::addGroup(QVBoxLayout* column, const QString& title, const QList<std::pair<QString, QString>>& entries)
{
    column->addWidget(makeLabel(title, 13, 600, "text.primary"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    int line = 0;
    for (const auto& [input, does] : entries) {
        QLabel* keys = makeLabel(input, 11.5, 500, "text.secondary");
        keys->setMinimumWidth(150);
        keys->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        QLabel* what = makeLabel(does, 11.5, 400, "text.primary");
        what->setWordWrap(true);
        grid->addWidget(keys, line, 0);
        grid->addWidget(what, line++, 1);
        m_lines << does + ": " + input;
    }
    column->addLayout(grid);
    column->addSpacing(12);
}

} // namespace helio

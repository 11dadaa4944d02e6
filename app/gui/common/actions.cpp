#include "app/gui/common/actions.h"

#include "widgets/controls/header_bar.h"
#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>

namespace helio {

Actions::Actions(std::span<const ActionSpec> table, QWidget* window, QWidget* timeArea)
    : QObject(window)
    , m_table(table)
{
    for (const ActionSpec& spec : m_table) {
        auto* action = new QAction(tr(spec.text), this);
        action->setObjectName(spec.id);
        // Store the icon's name for the command palette, which draws the icon in other sizes.
        action->setProperty("iconName", QLatin1String(spec.icon));
        action->setShortcuts(shortcutsOf(spec));
        action->setCheckable(spec.isCheckable);
        const QString keys = shortcutText(spec);
        const QString name = action->text().remove(QStringLiteral("\u2026"));
        action->setToolTip(keys.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, keys));
        action->setStatusTip(tr(spec.tip));
        const bool isLocal = spec.scope == ActionSpec::Scope::TimeArea;
        action->setShortcutContext(isLocal ? Qt::WidgetWithChildrenShortcut : Qt::WindowShortcut);
        (isLocal ? timeArea : window)->addAction(action);
        m_actions.insert(spec.id, action);
    }
    connect(&Themes::instance(), &Themes::changed, this, &Actions::updateIcons);
    updateIcons();
}

QAction& Actions::at(const QString& id) const
{
    QAction* action = m_actions.value(id);
    Q_ASSERT(action);
    return *action;
}

QAction& Actions::addPanel(const QString& id, const QString& text, const QString& tip)
{
    auto* action = new QAction(text, this);
    action->setObjectName(id);
    action->setCheckable(true);
    action->setStatusTip(tip);
    m_actions.insert(id, action);
    m_added.insert(id);
    if (QMenu* panels = menu(PanelMenu))
        panels->addAction(action);
    return *action;
}

void Actions::removePanel(const QString& id)
{
    if (m_added.remove(id))
        delete m_actions.take(id);
}

void Actions::on(const QString& id, const std::function<void()>& run) { connect(&at(id), &QAction::triggered, this, run); }

void Actions::onToggled(const QString& id, const std::function<void(bool)>& run) { connect(&at(id), &QAction::triggered, this, run); }

void Actions::group(const QStringList& ids)
{
    auto* together = new QActionGroup(this);
    for (const QString& id : ids)
        together->addAction(&at(id));
}

void Actions::fill(HeaderBar& header)
{
    fillMenus(header);
    fillTools(header);
}

void Actions::fillMenus(HeaderBar& header)
{
    QHash<QString, int> sections;
    for (const ActionSpec& spec : m_table) {
        const QString path = spec.menu;
        if (!m_menus.contains(path.section('/', 0, 0)))
            m_menus.insert(path.section('/', 0, 0), header.menus().addMenu(tr(qPrintable(path.section('/', 0, 0)))));
        QMenu* menu = m_menus.value(path.section('/', 0, 0));
        if (path.contains('/') && !m_menus.contains(path)) {
            m_menus.insert(path, menu->addMenu(tr(qPrintable(path.section('/', 1)))));
            sections[path] = spec.section;
        }
        menu = m_menus.value(path);
        if (sections.contains(path) && sections[path] != spec.section)
            menu->addSeparator();
        sections[path] = spec.section;
        menu->addAction(&at(spec.id));
    }
}

void Actions::fillTools(HeaderBar& header)
{
    std::vector<const ActionSpec*> specs;
    for (const ActionSpec& spec : m_table)
        if (spec.tool > 0)
            specs.push_back(&spec);
    std::ranges::sort(specs, {}, &ActionSpec::tool);
    for (const ActionSpec* spec : specs)
        header.addTool(&at(spec->id));
}

void Actions::updateIcons()
{
    for (const ActionSpec& spec : m_table)
        if (*spec.icon)
            at(spec.id).setIcon(themedIcon(spec.icon));
}

} // namespace helio

#pragma once

#include "widgets/workspace/analysis_list.h"

#include <QAction>
#include <QObject>
#include <QPointer>

#include <functional>
#include <vector>

class QMenu;

namespace helio {

/// Section of a menu with the analyses that the user can switch on and off, followed by a submenu with actions for each analysis.
/// Actions that do not apply are disabled, and their tooltips say why.
class AnalysesMenu : public QObject {
    Q_OBJECT

public:
    /// Features of the window that contains the menu.
    struct Window {
        bool canInspect = true; ///< True if the window has a view that shows the effects of an analysis's rules.
        bool canAsk = true; ///< True if the window has a bar that asks whether a plug-in may be loaded.
    };

    /// Inserts a section with the analyses of `list` into `menu`, before the action `before`.
    AnalysesMenu(QMenu& menu, QAction& before, AnalysisList& list, Window window, QObject* parent = nullptr);

    /// Callbacks that return and set whether the panel of a view is shown.
    using IsShown = std::function<bool(const QString& view)>;
    using Show = std::function<void(const QString& view, bool isShown)>;
    void setAttributes(IsShown isShown, Show show);

private:
    void fill();
    void addSwitch(const AnalysisEntry& entry, QAction* before);
    QString tipOf(const AnalysisEntry& entry) const;
    void addMenuOf(const AnalysisEntry& entry, QMenu& menu);
    void addAttributes(const AnalysisEntry& entry, QMenu& its);
    void addFile(const AnalysisEntry& entry, QMenu& its);
    void addPermission(const AnalysisEntry& entry, QMenu& its);

    QMenu& m_menu;
    QAction& m_before;
    AnalysisList& m_list;
    const Window m_window;
    IsShown m_isShown;
    Show m_show;
    std::vector<QPointer<QAction>> m_lines;
    QMenu* m_each; ///< Submenu that has a submenu of actions for each analysis.
};

/// Shortens long lists in `reason`, which may name dozens of events that were not recorded.
QString shortenLists(const QString& reason);

} // namespace helio

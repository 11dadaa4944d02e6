#pragma once

#include "widgets/workspace/analysis_list.h"

#include <QAction>
#include <QObject>
#include <QPointer>

#include <functional>
#include <vector>

class QMenu;

namespace helio {

/// The part of a menu that lists the analyses a person may switch on and off, whoever wrote them, before one of the menu's actions; below
/// them a menu for each with what can be done with it. What does not apply is grey, and its tooltip says why.
class AnalysesMenu : public QObject {
    Q_OBJECT

public:
    /// What the window has beside the menu.
    struct Window {
        bool canInspect = true; ///< A view that shows what the rules of an analysis did.
        bool canAsk = true; ///< A bar that asks whether a plug-in may be loaded.
    };

    /// Lines go before `before`, which stays in the menu.
    AnalysesMenu(QMenu& menu, QAction& before, AnalysisList& list, Window window, QObject* parent = nullptr);

    /// Whether the panel of a view is shown; and shows it or no longer.
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
    QMenu* m_each; ///< A menu for each.
};

/// The same reason with its long lists cut: of events that were not recorded there may be dozens.
QString withShortLists(const QString& reason);

} // namespace helio

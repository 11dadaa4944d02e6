#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/controls/palette_model.h"

#include <QMenu>
#include <QObject>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace helio {

class ExperimentPane;
class HeaderBar;
struct SampledFunction;
struct Timeline;

/// Content of a window's command palette: the commands of its menus, the rows of its experiments and the functions called in them, a time
/// to go to, a search. Fills the header's omnibox whenever it opens. Threads: UI thread.
class WindowPalette : public QObject {
    Q_OBJECT

public:
    WindowPalette(HeaderBar& header, QObject* parent);

    /// Adds the rows, times and panel menus of a pane. Ownership: the pane outlives the palette.
    void add(ExperimentPane& pane);
    /// Adds the commands of a menu outside the menu bar, for example of a panel; `fill` creates them each time.
    void addMenu(const QString& title, std::function<void(QMenu&)> fill);
    /// Sets the function that makes the items of functions with `text` in their names.
    void setFunctions(std::function<PaletteItems(const QString& text)> functions) { m_functions = std::move(functions); }
    /// Sets whether the typed text can be searched for in the events.
    void setSearches(bool searches) { m_searches = searches; }

private:
    struct Extra {
        QString title;
        std::function<void(QMenu&)> fill;
        std::shared_ptr<QMenu> menu; ///< The menu with the offered commands.
    };

    void fill();
    void fetchRows();
    void takeRows(std::shared_ptr<const PaletteItems> rows, const std::vector<std::shared_ptr<const Timeline>>& of);
    void forgetRows();
    bool areRowsOld() const;
    PaletteItems itemsFor(const QString& text) const;
    PaletteItems rowsOf(ExperimentPane& pane, const Timeline& timeline, std::stop_token stop) const;
    PaletteItems functionsOf(ExperimentPane& pane, const Timeline& timeline, std::stop_token stop) const;

    HeaderBar& m_header;
    std::vector<ExperimentPane*> m_panes;
    std::vector<Extra> m_extras;
    std::function<PaletteItems(const QString& text)> m_functions; ///< nullptr if functions have no items of their own.
    bool m_searches = false;
    std::shared_ptr<const PaletteItems> m_rows; ///< Made when the palette opens.
    std::vector<std::weak_ptr<const Timeline>> m_rowsOf;
    LatestTask m_job;
};

/// Returns at most eight items for functions with `text` in their names, names that begin with it first.
PaletteItems functionItems(std::span<const SampledFunction> functions, const QString& text,
                           const std::function<void(const SampledFunction&)>& choose);

} // namespace helio

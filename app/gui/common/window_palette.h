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

/// Provides the items of a window's command palette: commands of the menus, rows of the experiments, called functions, a time to go to, a
/// search. Fills the header's omnibox whenever it opens.
/// Threads: UI thread.
class WindowPalette : public QObject {
    Q_OBJECT

public:
    WindowPalette(HeaderBar& header, QObject* parent);

    /// Adds items for the rows, times and panel menus of a pane.
    /// Ownership: the pane outlives the palette.
    void add(ExperimentPane& pane);
    /// Adds the commands of a menu outside the menu bar, for example of a panel. `fill` is called whenever the palette opens and adds the
    /// actions.
    void addMenu(const QString& title, std::function<void(QMenu&)> fill);
    /// Sets a function that returns items for functions whose names contain `text`.
    void setFunctions(std::function<PaletteItems(const QString& text)> functions) { m_functions = std::move(functions); }
    /// Sets whether the palette offers to search the events for the typed text.
    void setSearches(bool searches) { m_searches = searches; }

private:
    struct Extra {
        QString title;
        std::function<void(QMenu&)> fill;
        std::shared_ptr<QMenu> menu; ///< Last menu that `fill` filled; owns the offered actions.
    };

    void fill();
    void fetchRows();
    void takeRows(std::shared_ptr<const PaletteItems> rows, const std::vector<std::shared_ptr<const Timeline>>& of);
    void forgetRows();
    bool areRowsOld() const;
    PaletteItems itemsFor(const QString& text) const;
    static void addTimes(ExperimentPane& pane, const QString& text, bool isTime, PaletteItems& items);
    PaletteItems rowsOf(ExperimentPane& pane, const Timeline& timeline, std::stop_token stop) const;
    PaletteItems functionsOf(ExperimentPane& pane, const Timeline& timeline, std::stop_token stop) const;

    HeaderBar& m_header;
    std::vector<ExperimentPane*> m_panes;
    std::vector<Extra> m_extras;
    std::function<PaletteItems(const QString& text)> m_functions; ///< Returns items for functions; nullptr if the window has none.
    bool m_searches = false;
    std::shared_ptr<const PaletteItems> m_rows; ///< Items of rows and called functions, computed when the palette opens.
    std::vector<std::weak_ptr<const Timeline>> m_rowsOf;
    LatestTask m_job;
};

/// Returns at most eight items for functions whose names contain `text`; names that begin with it come first.
PaletteItems functionItems(std::span<const SampledFunction> functions, const QString& text,
                           const std::function<void(const SampledFunction&)>& choose);

} // namespace helio

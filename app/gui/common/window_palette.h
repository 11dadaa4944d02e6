#pragma once

#include "widgets/async/latest_job.h"
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

/// What the command palette of a window offers: what its menus do, the rows of its experiments and the functions that are called in them, a
/// time to go to, a search. Fills the header's omnibox whenever that opens. UI thread.
class WindowPalette : public QObject {
    Q_OBJECT

public:
    WindowPalette(HeaderBar& header, QObject* parent);

    /// Its rows, times and the menus of its panels are found. Outlives the palette.
    void add(ExperimentPane& pane);
    /// Lines that stand in a menu elsewhere, as that of a panel: `fill` makes them anew each time.
    void addMenu(const QString& title, std::function<void(QMenu&)> fill);
    /// `functions` makes the lines of the functions whose names hold a text.
    void setFunctions(std::function<PaletteItems(const QString& text)> functions) { m_functions = std::move(functions); }
    /// What was typed may be searched for in the events.
    void setSearches(bool searches) { m_searches = searches; }

private:
    struct Extra {
        QString title;
        std::function<void(QMenu&)> fill;
        std::shared_ptr<QMenu> menu; ///< As it is offered.
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
    std::function<PaletteItems(const QString& text)> m_functions; ///< Null: functions have no lines of their own.
    bool m_searches = false;
    std::shared_ptr<const PaletteItems> m_rows; ///< Made when the palette opens.
    std::vector<std::weak_ptr<const Timeline>> m_rowsOf;
    LatestJob m_job;
};

/// Lines of the functions whose names hold the text, those that begin with it first. At most eight.
PaletteItems functionItems(std::span<const SampledFunction> functions, const QString& text,
                           const std::function<void(const SampledFunction&)>& choose);

} // namespace helio

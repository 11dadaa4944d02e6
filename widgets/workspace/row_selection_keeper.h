#pragma once

#include "core/store/track_ref.h"
#include "widgets/workspace/view_context.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace helio {

class Store;

/// Keeps the selected row selected when rows that span all traces are made again. For example, rows of virtual machines get other numbers
/// when the user sets on which host a guest runs. Selects the new row with the same id; if there is none, the row with the same source;
/// otherwise no row.
/// Ownership: the ViewContext passed to the constructor must outlive this object.
/// Threads: UI thread.
class RowSelectionKeeper : public QObject {
    Q_OBJECT

public:
    explicit RowSelectionKeeper(ViewContext& context, QObject* parent = nullptr);

private:
    struct Kept {
        std::shared_ptr<const Timeline> timeline; ///< Timeline of the selected row, which owns `store`.
        const Store* store; ///< Store that contains the selected row; owned by `timeline`.
        std::string view;
        std::string id;
        TrackRef source; ///< Row of one trace that the selected row stands for (RowNote::source), e.g. the thread of a vCPU on the host;
                         ///< invalid if there is none.
    };
    void note();
    void follow();
    void select(TrackRef row);

    ViewContext& m_context;
    std::optional<Kept> m_kept; ///< Kept row; nullopt if the selected row belongs to a trace, or no row is selected.
    bool m_isFollowing = false;
};

} // namespace helio

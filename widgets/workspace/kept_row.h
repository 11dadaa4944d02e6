#pragma once

#include "core/store/track_ref.h"
#include "widgets/workspace/view_context.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>

namespace helio {

class Store;

/// Keeps what is selected selected where rows of all traces together are made anew, as those of virtual machines whenever somebody says
/// whose guest a host is: their numbers are others then. It is the row with the same id, else the one that shows the same again; where
/// there is neither, nothing is selected any more. The context outlives it. UI thread.
class KeptRow : public QObject {
    Q_OBJECT

public:
    explicit KeptRow(ViewContext& context, QObject* parent = nullptr);

private:
    struct Kept {
        std::shared_ptr<const Timeline> timeline; ///< That it is of,
        const Store* store; ///< and the store in it.
        std::string view;
        std::string id;
        TrackRef source; ///< What it shows again. Not valid: nothing.
    };
    void note();
    void follow();
    void select(TrackRef row);

    ViewContext& m_context;
    std::optional<Kept> m_kept; ///< Nothing: the selected row is of a trace, or none.
    bool m_isFollowing = false;
};

} // namespace helio

#pragma once

#include "core/base/time.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace helio {

class ViewContext;
struct Timeline;

/// Aligns the clocks of two hosts by two moments that were simultaneous. The user selects a row and sets the cursor for the first moment,
/// then does the same on a row of another host for the second moment. words() has the current instruction for the user; Escape cancels. The
/// clock of the first moment's host is changed, unless it is the reference.
///
/// Threads: UI thread.
/// Ownership: the context outlives the object.
class MomentAlignment : public QObject {
    Q_OBJECT

public:
    MomentAlignment(ViewContext& context, QObject* parent);

    /// Uses the selected row and the cursor as the first moment; as the second moment if a first moment on another host is set.
    void take();
    void cancel();
    /// True if take() has set the first time to align, and the second time is not set yet.
    bool isWaiting() const { return m_first.has_value(); }
    const QString& words() const { return m_words; } ///< Returns the instruction for the user; empty if no moment was set.
    /// True if the selected row is on another host than the row of the first moment, which take() has stored. take() can then use the
    /// cursor as the second moment and align the clocks of the two hosts.
    bool canAlign() const;

signals:
    void changed();

private:
    struct Moment {
        std::uint32_t host = 0;
        HostTimestamp at{}; ///< Time on the host's own clock, which is independent of clock settings.
        QString words;
    };

    bool eventFilter(QObject* watched, QEvent* event) override;
    std::optional<Moment> selected() const;
    void align(const Moment& second);
    void say();

    ViewContext& m_context;
    std::optional<Moment> m_first;
    std::shared_ptr<const Timeline> m_timeline; ///< Timeline in which the first moment was set.
    QString m_words;
};

} // namespace helio

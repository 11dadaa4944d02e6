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

/// Aligns two hosts by two moments that were the same. The selected row and the cursor are taken as the first moment, then, after a row of
/// another host is selected, as the second. Meanwhile words() tells the user what to do; Escape cancels. The host of the first moment is
/// moved, unless it is the reference.
///
/// Threads: UI thread. Ownership: the context outlives the object.
class MomentAlignment : public QObject {
    Q_OBJECT

public:
    MomentAlignment(ViewContext& context, QObject* parent);

    /// Takes the selected row and the cursor as the first or second moment.
    void take();
    void cancel();
    bool isWaiting() const { return m_first.has_value(); } ///< True after the first moment was taken.
    const QString& words() const { return m_words; } ///< Instruction for the user; empty if no moment was taken.
    /// True if the selected row is on another host than the first moment.
    bool canAlign() const;

signals:
    void changed();

private:
    struct Moment {
        std::uint32_t host = 0;
        HostTimestamp at{}; ///< Time on the host's own clock, which does not change.
        QString words;
    };

    bool eventFilter(QObject* watched, QEvent* event) override;
    std::optional<Moment> selected() const;
    void align(const Moment& second);
    void say();

    ViewContext& m_context;
    std::optional<Moment> m_first;
    std::shared_ptr<const Timeline> m_timeline; ///< Timeline in which the first moment was taken.
    QString m_words;
};

} // namespace helio

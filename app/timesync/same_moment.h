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

/// Aligns two hosts by two moments that were the same: the selected row and the cursor are taken as the first, then, once another host's
/// row is selected, as the second. What is to be done is said in words meanwhile; Escape gives it up. The host of the first one is moved,
/// unless it is the reference.
///
/// The context outlives it. UI thread.
class SameMoment : public QObject {
    Q_OBJECT

public:
    SameMoment(ViewContext& context, QObject* parent);

    /// Takes what is selected, as the first moment or as the second.
    void take();
    void cancel();
    bool isWaiting() const { return m_first.has_value(); } ///< For the second one.
    const QString& words() const { return m_words; } ///< What is to be done now; empty: nothing.
    /// The selected moment is on another host than the first one.
    bool canAlign() const;

signals:
    void changed();

private:
    struct Moment {
        std::uint32_t host = 0;
        HostTimestamp at{}; ///< On its own clock, which does not change.
        QString words;
    };

    bool eventFilter(QObject* watched, QEvent* event) override;
    std::optional<Moment> selected() const;
    void align(const Moment& second);
    void say();

    ViewContext& m_context;
    std::optional<Moment> m_first;
    std::shared_ptr<const Timeline> m_timeline; ///< That the first one was taken of.
    QString m_words;
};

} // namespace helio

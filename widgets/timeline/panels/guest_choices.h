#pragma once

#include "core/virtualization/bindings.h"
#include "widgets/async/latest_job.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace helio {

class ViewContext;

/// A virtual machine that a host may be the guest of.
struct GuestChoice {
    Machine machine; ///< It has a host.
    std::string process; ///< "qemu-171".
    std::uint32_t host = 0; ///< That it runs on.
    std::vector<std::int32_t> cpus; ///< Of its guest. Empty: it has none.
    std::vector<std::string> threads; ///< "CPU 0/KVM (192)": what runs its vCPUs, in their order.
};

/// What a person may choose from who says whose guest a host is, looked for on a thread of its own once somebody asks, and kept as long as
/// the timeline is the same. One for each context, which owns it. UI thread.
class GuestChoices : public QObject {
    Q_OBJECT

public:
    static GuestChoices& of(ViewContext& context);

    using All = std::shared_ptr<const std::vector<GuestChoice>>;
    /// Of the context's timeline. Null: it is not known yet; known() follows, where there is a timeline.
    All ask();

signals:
    void known(); ///< Of a timeline that may be an older one: ask() again.

private:
    explicit GuestChoices(ViewContext& context);

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_of;
    All m_all;
    std::shared_ptr<const Timeline> m_asked;
    LatestJob m_job;
};

} // namespace helio

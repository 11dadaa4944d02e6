#pragma once

#include "core/formats/ctf/babeltrace/bt2_fields.h"
#include "core/formats/ctf/babeltrace/bt2_graph.h"
#include "core/trace/trace.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace helio::bt2 {

/// Selects one stream of a trace and the first event to read.
struct StreamSelection {
    std::vector<std::filesystem::path> folders;
    std::uint64_t port = 0; ///< Number of the stream's output port in libbabeltrace2.
    std::uint32_t stream = 0; ///< Index of the stream in the trace, for Loss::stream.
    std::uint64_t firstEvent = 0; ///< Number of events to skip at the start of the stream.
};

/// Reads one stream with a graph of its own.
class Stream final : public EventStream {
public:
    explicit Stream(StreamSelection choice)
        : m_choice(std::move(choice))
        , m_toSkip(m_choice.firstEvent)
    {
    }

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override;

private:
    bool open();
    const bt_message* peek();
    void drop() { m_messages.pop_front(); }
    bool take(const bt_message* message, EventBatch& batch);
    void beginPacket(const bt_message* message);
    void writePacket();
    void addEvent(const bt_message* message, EventBatch& batch);
    std::optional<Loss> lossOf(const bt_message* message, bool isPackets) const;
    void addLoss(Loss loss, EventBatch& batch);
    HostTimestamp timeOf(const bt_message* message);
    void fail(const std::string& what);

    StreamSelection m_choice;
    std::uint64_t m_toSkip; ///< Number of events at the start of the stream that are still to be skipped.
    std::unique_ptr<EventClassCache> m_classes; ///< Event types of the graph; nullptr until the first message.
    std::unique_ptr<Graph> m_graph; ///< Graph of libbabeltrace2; nullptr until the first next().
    std::deque<Message> m_messages; ///< Delivered messages that are not processed yet. Must be destroyed before the graph.
    std::unique_ptr<const bt_packet, Releaser<bt_packet_put_ref>> m_packet;
    std::optional<HiddenMembers> m_packetHidden;
    std::vector<Loss> m_pendingLosses; ///< Losses of the current packet, which are added to a batch at the packet's end.
    std::vector<std::byte> m_bytes;
    std::uint64_t m_contextBit = 0;
    std::uint64_t m_event = 0;
    std::int32_t m_cpu = -1;
    HostTimestamp m_last{};
    bool m_hasLast = false;
    /// True until all events up to the start position are skipped. Losses before the start position are ignored, because the stream that
    /// read the events before it has already reported them.
    bool m_dropsLosses = m_toSkip > 0;
    bool m_isAtEnd = false;
    std::uint64_t m_backward = 0;
    std::uint64_t m_unknownTypes = 0;
    std::vector<Diagnostic> m_diagnostics;
};

/// Returns the field `cpu_id` of the packet context; -1 if it does not exist.
std::int32_t cpuOf(const bt_packet* packet);

} // namespace helio::bt2

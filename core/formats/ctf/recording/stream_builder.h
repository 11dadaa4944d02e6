#pragma once

#include "core/formats/ctf/recording/ctf_trace.h"

#include <map>

namespace helio::ctf {

/// Collects the packets of a trace's files and joins them into streams.
///
/// A stream consists of all packets with the same stream class and instance id, over all files and chunks; packets without an instance id
/// are grouped by file name. Streams are ordered by class and instance, which orders events of equal time like babeltrace2.
class StreamBuilder {
public:
    StreamBuilder(const Metadata& metadata, const std::vector<StreamClassLayout>& shapes, std::vector<Diagnostic>& diagnostics);

    /// Adds a file's packets. Files must be added folder by folder in the order of time, sorted by name in each folder. Calls `goOn` after
    /// each packet and stops if it returns false.
    void addFile(std::shared_ptr<const MappedFile> file, const std::function<bool()>& goOn);

    /// Returns the streams with the packets that were found so far. May be called from within `goOn`.
    std::vector<StreamInfo> currentStreams() const;

    /// Completes all streams, and moves them to the two parallel lists.
    void finish(std::vector<StreamInfo>& streams, std::vector<StreamData>& data);

private:
    struct Key {
        std::uint64_t streamClass = 0;
        bool hasInstance = false;
        std::uint64_t instance = 0;
        std::string file;
        auto operator<=>(const Key&) const = default;
    };
    struct Stream {
        StreamData data;
        std::string label;
    };

    void addPackets(const std::shared_ptr<const MappedFile>& file, std::vector<PacketDescription> packets);
    Stream& streamOf(const PacketDescription& packet, const std::string& fileName);
    void addForeignFiles();
    void order(StreamData& data);
    static void countLosses(StreamData& data, StreamInfo& info);
    static StreamInfo describe(const Stream& stream);
    static PacketInfo describe(const StreamData& data, const PacketDescription& packet);
    void noteOverlaps(const StreamInfo& info);
    static HostRange rangeOf(const std::vector<StreamInfo>& streams);

    const std::vector<StreamClassLayout>& m_shapes;
    std::vector<Diagnostic>& m_diagnostics;
    PacketScanner m_scan;
    std::vector<std::pair<std::shared_ptr<const MappedFile>, std::vector<PacketDescription>>> m_foreign; ///< Files with other UUIDs only.
    std::map<Key, Stream> m_streams;
    std::vector<PacketDescription> m_current; ///< Packets of the file that is being added.
};

} // namespace helio::ctf

#pragma once

#include "core/formats/ctf/recording/ctf_trace.h"

#include <map>

namespace helio::ctf {

/// Collects the packets of a trace's files and groups them into streams.
///
/// A stream consists of all packets with the same stream class and instance id, over all files and chunks. Packets without an instance id
/// are grouped by file name. Streams are ordered by class and instance, so that events with equal times have the same order as in
/// babeltrace2.
class StreamBuilder {
public:
    StreamBuilder(const Metadata& metadata, const std::vector<StreamClassLayout>& shapes, std::vector<Diagnostic>& diagnostics);

    /// Adds the packets of a file. Files must be added folder by folder in time order, sorted by name within each folder. Calls `goOn`
    /// after each packet and stops if `goOn` returns false.
    void addFile(std::shared_ptr<const MappedFile> file, const std::function<bool()>& goOn);

    /// Returns the streams with the packets found so far. May be called from within `goOn`.
    std::vector<StreamInfo> currentStreams() const;

    /// Completes all streams and moves them to two parallel lists.
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
    /// Files without any packet that has the metadata's UUID, but with packets that have a different UUID; each with all its packets.
    /// addForeignFiles() decides whether they are read.
    std::vector<std::pair<std::shared_ptr<const MappedFile>, std::vector<PacketDescription>>> m_foreign;
    std::map<Key, Stream> m_streams;
    std::vector<PacketDescription> m_current; ///< Packets found so far in the file that is being added.
};

} // namespace helio::ctf

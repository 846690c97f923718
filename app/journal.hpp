// How far a stream has come, in a file that outlives it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "netlink/integers.hpp"
#include "pipeline/outcome.hpp"

namespace nlstream {

/// Enough of a file to tell that it is not the same any more.
struct FileIdentity {
    u64 device = 0;
    u64 inode = 0;
    u64 size = 0;
    s64 modified_s = 0;
    s64 modified_ns = 0;
    friend bool operator==(FileIdentity const&, FileIdentity const&) = default;

    /// Of a regular file, "-" is standard input; nothing for what else there is.
    static std::optional<FileIdentity> of(std::string const& path);
};

/// What a journal says: all lines before this place had ended.
struct JournalRecord {
    u64 file = 1;      ///< which of the inputs, from 1
    std::string name;  ///< as it was given
    std::optional<FileIdentity> identity;
    u64 line = 1;
    bool ended = false;  ///< the stream came to its end, whatever that was; otherwise lines behind the place may have
                         ///< been applied, too

    std::string text() const;
    /// Throws std::runtime_error if `text` is not all of a record.
    static JournalRecord parse(std::string_view text);
};

/// Keeps the file. It is replaced as a whole each time, so that whoever reads it sees one record or the next one; it is
/// not forced to the disk: it outlives the process, not the machine.
class Journal {
  public:
    /// `first_file`: which of the user's inputs, from 1, `files` begins with. `files` must outlive the journal.
    Journal(std::string path, std::vector<std::string> const& files, u64 first_file);

    /// Writes where the stream starts. Throws std::system_error.
    void begin(u64 line);
    /// Writes the place if it is another one. Errors are kept, see failure().
    void update(Place const& place) { write(place, false); }
    void end(Place const& place) { write(place, true); }

    /// "PATH: REASON" when it could not be written, else empty.
    std::string const& failure() const { return failure_; }

  private:
    void write(Place const& place, bool ended);

    std::string path_;
    std::vector<std::string> const& files_;
    u64 first_file_;
    std::vector<std::optional<FileIdentity>> identities_;
    JournalRecord last_;
    std::string failure_;
};

/// Where to go on, by the journal at `path`.
struct Resumption {
    u64 file = 1;  ///< index of the first input that is left, from 1
    u64 line = 1;
    std::string said;  ///< what the user should know, in sentences that end in newlines
};

/// `files`: the inputs as they are given now. Without a journal the stream starts at its beginning. Throws
/// std::runtime_error when the journal cannot be read, or the input is not the one that it is about.
Resumption resume(std::string const& path, std::vector<std::string> const& files);

}  // namespace nlstream
